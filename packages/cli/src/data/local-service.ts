// The HTTP interface of a data directory that only this process has open, without a socket: areas C and keys.

import { openDirectory, openServer } from "@assay/server";
import { serverClient } from "../clients/server-client.ts";
import { readUpstreamsFile } from "../settings/upstreams-file.ts";
import { type CliContext, log, messageLog } from "../terminal/cli-context.ts";
import { errorLine } from "../terminal/failure.ts";
import { checkDirectory } from "./open-data.ts";
import type { Service, ServiceOptions } from "./service.ts";

/** It stays secret: requests never leave the process. */
const ORIGIN = "http://localhost";

/** Opens the data directory and returns its interface. */
export async function localService(
  context: CliContext,
  { data: path, upstreams, prices, creates = false }: ServiceOptions,
): Promise<Service> {
  if (!creates) checkDirectory(path);
  const engines = await readUpstreamsFile(context, upstreams);
  const server = await openServer({
    directory: await openDirectory(path, { tell: messageLog(context), orForReading: true }),
    areas: ["inference"],
    page: false,
    upstreams: engines,
    prices,
    // Anyone who can open the directory has full access to it.
    authenticate: async () => ({ id: "local", allows: () => true }),
    onError: (error) => log(context, `assay: ${errorLine(context, error)}`),
  });
  return {
    where: path,
    client: serverClient(ORIGIN, undefined, server.handler),
    close: () => server.close(),
  };
}
