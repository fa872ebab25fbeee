// The stores of one ClickHouse database, over an open connection.

import type { CallSource, RowSource, TrialStore } from "@assay/eval-engine";
import { type CallWriter, callWriter } from "./call-writer.ts";
import { callSource } from "./calls.ts";
import type { ClickHouse } from "./clickhouse.ts";
import { type Versions, versionsBy } from "./clock.ts";
import { type RowWriter, rowStore } from "./rows.ts";
import { tablesOf } from "./schema.ts";
import { trialStore } from "./trial-store.ts";

/** What is kept in one database. */
export interface ClickHouseStore {
  /** Its calls: the engine's source, and how they get there. */
  readonly calls: CallSource & CallWriter;
  /** Its dataset rows, the same. */
  readonly rows: RowSource & RowWriter;
  /** Its trials, for queries that are pushed down. */
  readonly trials: TrialStore;
}

/** How a store is opened. */
export interface ClickHouseStoreOptions {
  /** The database, whose tables `migrate` has made. */
  readonly database: string;
  /** Microseconds since 1970, by which later writes replace earlier ones. Default: the system's clock. */
  readonly now?: () => number;
}

/** The stores of a database. */
export function clickHouseStore(
  clickhouse: ClickHouse,
  { database, now = () => Date.now() * 1000 }: ClickHouseStoreOptions,
): ClickHouseStore {
  const tables = tablesOf(database);
  const versions: Versions = versionsBy(now);
  return {
    calls: { ...callSource(clickhouse, tables), ...callWriter(clickhouse, tables, versions) },
    rows: rowStore(clickhouse, tables, versions),
    trials: trialStore(clickhouse, tables),
  };
}
