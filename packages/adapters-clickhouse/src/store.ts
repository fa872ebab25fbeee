// The stores of a ClickHouse database, over an open connection.

import type { CallScan, CallSource, CallWriter, RowScan, RowSource, RowWriter } from "@assay/calls";
import type { CountedEvaluation, ScoreDirections } from "@assay/eval-engine";
import type { TrialColumnSource } from "@assay/eval-engine/pushed";
import { callScan } from "./calls/call-scan.ts";
import { callWriter } from "./calls/call-writer.ts";
import { callSource } from "./calls/calls.ts";
import { rowStore } from "./calls/rows.ts";
import { type Versions, versionsBy } from "./calls/versions.ts";
import type { ClickHouse } from "./connection/clickhouse.ts";
import { tablesOf } from "./connection/schema.ts";
import { type ClickHouseDeletion, type ClickHouseDeletionReport, deleteRecords } from "./delete-records.ts";
import { listEvaluations, listProjects } from "./evaluations.ts";
import { scoreDirections } from "./score-directions.ts";
import { trialStore } from "./trials/trial-store.ts";

/** The stores in one database. */
export interface ClickHouseStore {
  /**
   * Its calls: the engine's source, and their writer. Calls of several projects are written one project after another.
   * Throws a `conflict` fault if too many other processes join the same calls concurrently.
   */
  readonly calls: CallSource & CallWriter & CallScan;
  /** Its dataset rows, likewise. */
  readonly rows: RowSource & RowWriter & RowScan;
  /** Its trials, for queries that are pushed down. */
  readonly trials: TrialColumnSource;
  /** The directions of its projects' scores. */
  readonly directions: ScoreDirections;
  /** The evaluations of a project with a logged root call, by start (unknown last), then ID. */
  evaluations(project: string): Promise<readonly CountedEvaluation[]>;
  /** The projects that have evaluations, in any order. */
  projects(): Promise<readonly string[]>;
  /**
   * Deletes a project or an evaluation, and waits a while until its bytes are off the disk. Repeating it completes an
   * interrupted deletion. Nothing may write to it meanwhile. Throws a `missing` fault if it does not exist.
   */
  delete(deletion: ClickHouseDeletion): Promise<ClickHouseDeletionReport>;
}

/** How to open a store. */
export interface ClickHouseStoreOptions {
  /** The database, with tables created by `migrateClickHouse`. */
  readonly database: string;
  /** The cluster that the tables are distributed over, as `checkSchema` returns it. */
  readonly cluster?: string | undefined;
  /** Microseconds since 1970, by which later writes replace earlier ones. Default: the system's clock. */
  readonly now?: () => number;
  /**
   * The most seconds that the clocks of writing processes may differ by, plus the duration of a write. Data written
   * this recently is read again when evaluations are answered in this process. Default 0: only this process writes.
   */
  readonly settle?: number;
}

/** The stores of a database. */
export function clickHouseStore(
  clickhouse: ClickHouse,
  { database, cluster, now = () => Date.now() * 1000, settle = 0 }: ClickHouseStoreOptions,
): ClickHouseStore {
  const tables = tablesOf(database, cluster);
  const versions: Versions = versionsBy(now);
  return {
    calls: {
      ...callSource(clickhouse, tables, settle * 1e6),
      ...callScan(clickhouse, tables),
      ...callWriter(clickhouse, tables, versions),
    },
    rows: rowStore(clickhouse, tables, versions),
    trials: trialStore(clickhouse, tables),
    directions: scoreDirections(clickhouse, tables, versions),
    evaluations: (project) => listEvaluations(clickhouse, tables, project),
    projects: () => listProjects(clickhouse, tables),
    delete: (deletion) => deleteRecords(clickhouse, tables, versions, deletion),
  };
}
