// Opens the data of a command: a ClickHouse database, the data directory or, when a server has it open, that server.

import type { Prices } from "@assay/inference-core";
import { findServer, openClickHouse, openDirectory } from "@assay/server/directory";
import { type DataAccess, withPrices } from "@assay/server/internal";
import { remoteData } from "./remote-data.ts";
import { serverAddress } from "./server-address.ts";
import { toldTo, type World } from "./world.ts";

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
  /** What tokens cost, where no server answers, which has prices of its own. Default: no price is known. */
  readonly prices?: Prices | undefined;
}

/** The data in a directory. Throws a `conflict` fault when another program than a server has it open. */
export async function openData(
  world: World,
  { data, apiKey, store, server, prices }: OpenOptions,
): Promise<DataAccess> {
  if (store !== undefined) return withPrices(await openClickHouse(store), prices);
  const address = server === undefined ? await findServer(data) : await serverAddress({ server, data });
  if (address !== undefined) return remoteData(address, apiKey);
  const directory = await openDirectory(data, { tell: toldTo(world), orForReading: true });
  return withPrices(directory, prices, directory.traces.costs);
}
