// Opens the HTTP interface of a data directory for commands: that of the server that has it open, or else the same
// interface in this process, without a socket. Commands thus need no separate code for the two cases.

import { findServer } from "@assay/server/directory";
import { serverClient } from "../clients/server-client.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import type { Service, ServiceOptions } from "./service.ts";

/** Opens the interface of a data directory. Throws a `conflict` fault if a program other than a server has it open. */
export async function openService(context: CliContext, options: ServiceOptions): Promise<Service> {
  const address = await findServer(options.data);
  if (address !== undefined)
    return { where: address, client: serverClient(address, options.apiKey), async close() {} };
  // Loaded on demand, because it includes the stores and the engines.
  const { localService } = await import("./local-service.ts");
  return localService(context, options);
}
