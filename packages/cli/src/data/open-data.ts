// Opens the data of a command: a ClickHouse database, the data directory or, when a server has it open, that server.

import { existsSync } from "node:fs";
import type { Prices } from "@assay/inference-core";
import { findServer, openClickHouse, openDirectory } from "@assay/server/directory";
import { type DataAccess, withPrices } from "@assay/server/internal";
import { serverAddress } from "../clients/server-address.ts";
import { type CliContext, messageLog } from "../terminal/cli-context.ts";
import { EXIT, Failure } from "../terminal/failure.ts";
import { remoteData } from "./remote-data.ts";

/** Where the data is. */
export interface OpenOptions {
  /** The data directory. */
  readonly data: string;
  /** The API key of the server that may have it open. */
  readonly apiKey?: string | undefined;
  /** The address of the ClickHouse database with evaluations; undefined if they are in the directory. */
  readonly store?: string | undefined;
  /** The address of a server to use. Default: the one that has the directory open. */
  readonly server?: string | undefined;
  /** Token prices, if no server answers, which has its own. Default: all prices are unknown. */
  readonly prices?: Prices | undefined;
  /** Megabytes that DuckDB may use. Default 128. */
  readonly databaseMemory?: number | undefined;
  /** Whether to create the directory if it does not exist. Default: false. */
  readonly creates?: boolean | undefined;
}

/** Fails if the data directory does not exist: opening it would create it. */
export function checkDirectory(data: string): void {
  if (!existsSync(data))
    throw new Failure(
      EXIT.usage,
      `data directory not found: ${data}; assay import and assay serve create it, and --data names another`,
    );
}

/** The data in a directory. Throws a `conflict` fault if a program other than a server has it open. */
export async function openData(
  context: CliContext,
  { data, apiKey, store, server, prices, databaseMemory, creates = false }: OpenOptions,
): Promise<DataAccess> {
  if (store !== undefined) return withPrices(await openClickHouse(store), prices);
  const address = server === undefined ? await findServer(data) : await serverAddress({ server, data });
  if (address !== undefined) return remoteData(address, apiKey);
  if (!creates) checkDirectory(data);
  const directory = await openDirectory(data, {
    tell: messageLog(context),
    orForReading: true,
    databaseMemory,
  });
  return withPrices(directory, prices, directory.traces.costs);
}
