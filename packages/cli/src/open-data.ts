// Finds the data of a command: opens the ClickHouse database that is named, the data directory or, when a server has it open, asks that server.

import type { DataAccess } from "./data-access.ts";
import { openLocalData } from "./local-data.ts";
import { remoteData } from "./remote-data.ts";
import { serverAddress } from "./server-address.ts";
import { findServer } from "./server-proof.ts";
import type { World } from "./world.ts";

/** Where the data is. */
export interface OpenOptions {
  /** The data directory. */
  readonly data: string;
  /** The key of the server that may have it open. */
  readonly apiKey: string | undefined;
  /** The address of the ClickHouse database that holds evaluations; none when the directory does. */
  readonly store?: string | undefined;
  /** The address of a server to ask; the one that has the directory open when absent. */
  readonly server?: string | undefined;
}

/** The data in a directory. Throws a `conflict` fault when another program than a server has it open. */
export async function openData(
  world: World,
  { data, apiKey, store, server }: OpenOptions,
): Promise<DataAccess> {
  if (store !== undefined) {
    // Loaded when it is needed: most commands do without.
    const { openClickHouseData } = await import("./clickhouse-data.ts");
    return openClickHouseData(store);
  }
  const address = server === undefined ? await findServer(data) : await serverAddress({ server, data });
  return address === undefined ? openLocalData(data, world) : remoteData(address, apiKey);
}
