// The tables, and the numbered steps that make them. A step that was released is never changed: another is added.

import { Fault } from "@assay/base";
import type { ClickHouse } from "./clickhouse.ts";

/** The tables by name, qualified. */
export interface Tables {
  /** The steps that were taken. */
  readonly steps: string;
  /** Calls as they were written: texts by id. */
  readonly calls: string;
  /** Which calls are whose children. */
  readonly children: string;
  /** Versions of the projects. */
  readonly projects: string;
  /** Trials in narrow columns. */
  readonly trials: string;
  /** Trials' payloads. */
  readonly payloads: string;
  /** Dataset rows. */
  readonly rows: string;
}

/** The tables of a database, whose name must be letters, digits and underscores. */
export function tablesOf(database: string): Tables {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(database)) {
    throw new Fault(
      "missing",
      `a ClickHouse database is named with letters, digits and _, not "${database}"`,
    );
  }
  const table = (name: string): string => `${database}.${name}`;
  return {
    steps: table("schema_steps"),
    calls: table("calls"),
    children: table("call_children"),
    projects: table("projects"),
    trials: table("trials"),
    payloads: table("payloads"),
    rows: table("dataset_rows"),
  };
}

// Payloads and texts are fetched a few at a time from anywhere in a table: a granule is what one fetch reads.
const POINT_READS = "SETTINGS index_granularity = 64, index_granularity_bytes = 65536";

// Sorted so that one evaluation's columns lie together. Every table keeps, of the rows with one key, the one with the
// highest version: a write may come late, twice or before its time, and nothing has to be repaired.
const STEPS: readonly ((tables: Tables) => readonly string[])[] = [
  (tables) => [
    `CREATE TABLE IF NOT EXISTS ${tables.calls} (
      project LowCardinality(String), id String, version UInt64,
      parent Nullable(String), trace Nullable(String), started Int64, trial UInt8, deleted_at Nullable(String), hash String, text String CODEC(ZSTD(1)),
      INDEX written version TYPE minmax GRANULARITY 16
    ) ENGINE = ReplacingMergeTree(version) ORDER BY (project, id) ${POINT_READS}`,
    `CREATE TABLE IF NOT EXISTS ${tables.children} (
      project LowCardinality(String), parent String, id String, version UInt64, gone UInt8
    ) ENGINE = ReplacingMergeTree(version) ORDER BY (project, parent, id)`,
    `CREATE TABLE IF NOT EXISTS ${tables.projects} (
      project String, call_writes SimpleAggregateFunction(sum, UInt64), row_writes SimpleAggregateFunction(sum, UInt64),
      version SimpleAggregateFunction(max, UInt64), moved SimpleAggregateFunction(max, UInt64)
    ) ENGINE = AggregatingMergeTree ORDER BY project`,
    `CREATE TABLE IF NOT EXISTS ${tables.trials} (
      project LowCardinality(String), evaluation LowCardinality(String), id String, version UInt64, deleted UInt8,
      digest String, digest_number String, started Int64, reference String,
      tokens Nullable(Float64), own_tokens Nullable(Float64),
      shape LowCardinality(String), output_at UInt8, marks UInt8,
      scores JSON(max_dynamic_paths = 1024), outputs JSON(max_dynamic_paths = 256), example JSON(max_dynamic_paths = 256)
    ) ENGINE = ReplacingMergeTree(version, deleted) ORDER BY (project, evaluation, id)`,
    `CREATE TABLE IF NOT EXISTS ${tables.payloads} (
      project LowCardinality(String), evaluation String, id String, version UInt64, deleted UInt8,
      started Int64, example String CODEC(ZSTD(1)), output String CODEC(ZSTD(1)), facts String CODEC(ZSTD(1))
    ) ENGINE = ReplacingMergeTree(version, deleted) ORDER BY (project, evaluation, id) ${POINT_READS}`,
    `CREATE TABLE IF NOT EXISTS ${tables.rows} (
      project LowCardinality(String), key String, version UInt64, marks UInt8, hash String,
      text String CODEC(ZSTD(1)), value JSON(max_dynamic_paths = 256)
    ) ENGINE = ReplacingMergeTree(version) ORDER BY (project, key) ${POINT_READS}`,
  ],
];

/** Takes the steps that were not taken yet: those there are, and how many were new. The same again does nothing. */
export async function migrate(
  clickhouse: ClickHouse,
  database: string,
): Promise<{ readonly step: number; readonly taken: number }> {
  const tables = tablesOf(database);
  await clickhouse.command(`CREATE DATABASE IF NOT EXISTS ${database}`);
  await clickhouse.command(
    `CREATE TABLE IF NOT EXISTS ${tables.steps} (step UInt32, taken_at DateTime DEFAULT now())
     ENGINE = ReplacingMergeTree ORDER BY step`,
  );
  const from = await stepOf(clickhouse, tables);
  if (from > STEPS.length) throw newer(database, from);
  for (let step = from; step < STEPS.length; step++) {
    for (const sql of STEPS[step]!(tables)) await clickhouse.command(sql);
    await clickhouse.insert(tables.steps, [`{"step":${step + 1}}`]);
  }
  return { step: STEPS.length, taken: STEPS.length - from };
}

/** Throws a fault when the tables are not those of this program: `missing` when steps are, `conflict` when they are newer. */
export async function checkSchema(clickhouse: ClickHouse, database: string): Promise<void> {
  const [[exists]] = (await clickhouse.query({
    sql: "SELECT count() FROM system.tables WHERE database = {database:String} AND name = 'schema_steps'",
    params: { database },
  })) as [[string | number]];
  const step = Number(exists) === 0 ? 0 : await stepOf(clickhouse, tablesOf(database));
  if (step > STEPS.length) throw newer(database, step);
  if (step < STEPS.length) {
    throw new Fault(
      "missing",
      `the tables in the ClickHouse database ${database} are at step ${step} of ${STEPS.length}; run "assay clickhouse migrate"`,
    );
  }
}

async function stepOf(clickhouse: ClickHouse, tables: Tables): Promise<number> {
  const [[step]] = (await clickhouse.query({ sql: `SELECT max(step) FROM ${tables.steps}`, params: {} })) as [
    [string | number],
  ];
  return Number(step);
}

function newer(database: string, step: number): Fault {
  return new Fault(
    "conflict",
    `the tables in the ClickHouse database ${database} are at step ${step}, and this program knows ${STEPS.length}: use a newer one`,
  );
}
