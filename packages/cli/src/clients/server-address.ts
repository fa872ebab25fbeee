// The server for commands that need one.

import { findServer } from "@assay/server/directory";
import { EXIT, Failure } from "../terminal/failure.ts";

/** Where the server is. */
export interface ServerOptions {
  /** Its address. Default: the server that has the data directory open. */
  readonly server?: string | undefined;
  /** The data directory. */
  readonly data: string;
  /** Its API key. */
  readonly apiKey?: string | undefined;
}

/** The address of the server, without a trailing slash. Throws a `Failure` that explains how to get one. */
export async function serverAddress({ server, data }: ServerOptions): Promise<string> {
  if (server !== undefined) {
    if (URL.canParse(server) && /^https?:/.test(server)) return server.replace(/\/+$/, "");
    throw new Failure(
      EXIT.usage,
      `"${server}" is not a server address; write one like http://127.0.0.1:7777`,
    );
  }
  const address = await findServer(data);
  if (address !== undefined) return address;
  throw new Failure(
    EXIT.failed,
    `no server has ${data} open: start one with assay serve --data ${data}, or give its address with --server`,
  );
}
