// The stores of one ClickHouse database, over an open connection.

import type { CallScan, CallSource, CallWriter, RowScan, RowSource, RowWriter } from "@assay/calls";
import type { CountedEvaluation, ScoreDirections } from "@assay/eval-engine";
import type { TrialColumnSource } from "@assay/eval-engine/pushed";
import { callScan } from "./call-scan.ts";
import { callWriter } from "./call-writer.ts";
import { callSource } from "./calls.ts";
import type { ClickHouse } from "./clickhouse.ts";
import { type Versions, versionsBy } from "./clock.ts";
import { type ClickHouseDeletion, type ClickHouseDeletionReport, deleteRecords } from "./delete-records.ts";
import { listEvaluations, listProjects } from "./evaluations.ts";
import { rowStore } from "./rows.ts";
import { tablesOf } from "./schema.ts";
import { scoreDirections } from "./score-directions.ts";
import { trialStore } from "./trial-store.ts";

/** What is kept in one database. */
export interface ClickHouseStore {
  /**
   * Its calls: the engine's source, and how they get there. Those of several projects are put one project after
   * another. Throws a `conflict` fault when too many other processes join the same calls at once.
   */
  readonly calls: CallSource & CallWriter & CallScan;
  /** Its dataset rows, the same. */
  readonly rows: RowSource & RowWriter & RowScan;
  /** Its trials, for queries that are pushed down. */
  readonly trials: TrialColumnSource;
  /** What its projects say of their scores. */
  readonly directions: ScoreDirections;
  /** The evaluations of a project whose root call was logged, by start (unknown last), then id. */
  evaluations(project: string): Promise<readonly CountedEvaluation[]>;
  /** The projects that have evaluations, in any order. */
  projects(): Promise<readonly string[]>;
  /**
   * Deletes a project or an evaluation, and waits a while for its bytes to be off ClickHouse's disk. Deleting the same
   * again deletes what a process that died has left. Nothing may write to it meanwhile. Throws a `missing` fault when
   * there is nothing of that name.
   */
  delete(deletion: ClickHouseDeletion): Promise<ClickHouseDeletionReport>;
}

/** How a store is opened. */
export interface ClickHouseStoreOptions {
  /** The database, whose tables `migrateClickHouse` has made. */
  readonly database: string;
  /** The cluster that the tables are spread over, as `checkSchema` gives it. */
  readonly cluster?: string | undefined;
  /** Microseconds since 1970, by which later writes replace earlier ones. Default: the system's clock. */
  readonly now?: () => number;
  /**
   * Seconds by which the clocks of processes that write here may differ, and that a write may take. What was written so
   * recently is read again when evaluations are answered in this process. Default 0: only this process writes.
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
