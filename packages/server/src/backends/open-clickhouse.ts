// Opens a ClickHouse database that holds evaluations. Loads the ClickHouse code on demand.

import type { ClickHouseData, ClickHouseDataOptions } from "./clickhouse-data.ts";

/**
 * Opens the database at a `clickhouse://` address. Its tables must exist: `migrate` of `@assay/adapters-clickhouse`
 * creates them. Throws an `unavailable` fault if the database does not answer.
 */
export async function openClickHouse(
  address: string,
  options: ClickHouseDataOptions = {},
): Promise<ClickHouseData> {
  const { openClickHouseData } = await import("./clickhouse-data.ts");
  return openClickHouseData(address, options);
}
