// The tables, and the numbered steps that create them. Never change a released step: add another.

import { Fault } from "@assay/base";

/** The qualified names of the tables. On a cluster they span all shards. */
export interface Tables {
  /** The completed steps. */
  readonly steps: string;
  /** Calls as they were written: texts by ID. */
  readonly calls: string;
  /** The children of calls. */
  readonly children: string;
  /** Versions of the projects. */
  readonly projects: string;
  /** Trials in narrow columns. */
  readonly trials: string;
  /** Trials' payloads. */
  readonly payloads: string;
  /** Dataset rows. */
  readonly rows: string;
  /** The directions of projects' scores. */
  readonly directions: string;
  /**
   * The tables of one server of a cluster, with all trials of a row and that row. Without a cluster, the same tables.
   */
  readonly shard: {
    readonly calls: string;
    readonly children: string;
    readonly trials: string;
    readonly payloads: string;
    readonly rows: string;
    readonly directions: string;
  };
  /** The cluster that the tables are distributed over. */
  readonly cluster: string | undefined;
  /** The combined results of a query over the tables of `shard` on each shard, for FROM. */
  readonly onShards: (query: string) => string;
}

/** The tables of a database and its cluster; both names become SQL and are checked. */
export function tablesOf(database: string, cluster?: string): Tables {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(database)) {
    throw new Fault(
      "missing",
      `a ClickHouse database is named with letters, digits and _, not "${database}"`,
    );
  }
  if (cluster !== undefined && !/^[A-Za-z0-9_.-]+$/.test(cluster)) {
    throw new Fault("missing", `a cluster is named with letters, digits, _, . and -, not "${cluster}"`);
  }
  const table = (name: string): string => `${database}.${name}`;
  const ofShard = (name: string): string => table(cluster === undefined ? name : `${name}${LOCAL}`);
  return {
    steps: table("schema_steps"),
    calls: table("calls"),
    children: table("call_children"),
    projects: table("projects"),
    trials: table("trials"),
    payloads: table("payloads"),
    rows: table("dataset_rows"),
    directions: table("score_directions"),
    shard: {
      calls: ofShard("calls"),
      children: ofShard("call_children"),
      trials: ofShard("trials"),
      payloads: ofShard("payloads"),
      rows: ofShard("dataset_rows"),
      directions: ofShard("score_directions"),
    },
    cluster,
    onShards: (query) => (cluster === undefined ? `(${query})` : `cluster('${cluster}', view(${query}))`),
  };
}

/** The suffix of a shard's own table. */
const LOCAL = "_local";

/** Where to create tables. */
export interface TableLocation {
  readonly database: string;
  readonly cluster: string | undefined;
  /** Whether shards of the cluster have replicas. */
  readonly replicated: boolean;
}

interface Table {
  readonly name: string;
  readonly columns: string;
  /** The MergeTree engine, and its parameters. */
  readonly engine: readonly [name: string, ...parameters: string[]];
  /** ORDER BY, and settings. */
  readonly rest: string;
  /** On a cluster, the expression that determines a row's shard: equal for all rows with the same table key. */
  readonly shardBy: string;
}

function createTable({ database, cluster, replicated }: TableLocation, table: Table): readonly string[] {
  const [family, ...parameters] = table.engine;
  const { name, columns, rest } = table;
  const engine = (prefix: string, first: readonly string[]): string =>
    `${prefix}${family}(${[...first, ...parameters].join(", ")})`;
  const create = (name: string, where: string, engine: string): string =>
    `CREATE TABLE IF NOT EXISTS ${database}.${name}${where} (${columns}) ENGINE = ${engine} ${rest}`;
  if (cluster === undefined) return [create(name, "", engine("", []))];
  const keeper = [`'/clickhouse/tables/{shard}/${database}/${name}'`, "'{replica}'"];
  const own = replicated ? engine("Replicated", keeper) : engine("", []);
  const on = ` ON CLUSTER '${cluster}'`;
  return [
    create(`${name}${LOCAL}`, on, own),
    `CREATE TABLE IF NOT EXISTS ${database}.${name}${on} AS ${database}.${name}${LOCAL} ENGINE = Distributed('${cluster}', '${database}', '${name}${LOCAL}', ${table.shardBy})`,
  ];
}

// Payloads and texts are fetched in small numbers from anywhere in a table; each fetch reads a whole granule.
const POINT_READS = "SETTINGS index_granularity = 64, index_granularity_bytes = 65536";

const STEPS_TABLE: Table = {
  name: "schema_steps",
  columns: "step UInt32, taken_at DateTime DEFAULT now()",
  engine: ["ReplacingMergeTree"],
  rest: "ORDER BY step",
  shardBy: "step",
};

// Sorted to keep one evaluation's columns together. Of rows with the same key, every table keeps the one with the
// highest version: a write may arrive late, twice or out of order, and nothing needs repair.
const TABLES: readonly Table[] = [
  {
    name: "calls",
    columns: `project LowCardinality(String), id String, version UInt64,
      parent Nullable(String), trace Nullable(String), started Int64, trial UInt8, deleted_at Nullable(String), hash String, text String CODEC(ZSTD(1)),
      INDEX written version TYPE minmax GRANULARITY 16`,
    engine: ["ReplacingMergeTree", "version"],
    rest: `ORDER BY (project, id) ${POINT_READS}`,
    shardBy: "sipHash64(project, id)",
  },
  {
    name: "call_children",
    columns: "project LowCardinality(String), parent String, id String, version UInt64, gone UInt8",
    engine: ["ReplacingMergeTree", "version"],
    rest: "ORDER BY (project, parent, id)",
    shardBy: "sipHash64(project, parent)",
  },
  {
    name: "projects",
    columns: `project String, call_writes SimpleAggregateFunction(sum, UInt64), row_writes SimpleAggregateFunction(sum, UInt64),
      version SimpleAggregateFunction(max, UInt64), moved SimpleAggregateFunction(max, UInt64)`,
    engine: ["AggregatingMergeTree"],
    rest: "ORDER BY project",
    shardBy: "sipHash64(project)",
  },
  {
    name: "trials",
    columns: `project LowCardinality(String), evaluation LowCardinality(String), id String, version UInt64, deleted UInt8,
      digest String, digest_number String, started Int64, reference String,
      tokens Nullable(Float64), own_tokens Nullable(Float64),
      shape LowCardinality(String), output_at UInt8, marks UInt8,
      scores JSON(max_dynamic_paths = 1024), outputs JSON(max_dynamic_paths = 256), example JSON(max_dynamic_paths = 256)`,
    engine: ["ReplacingMergeTree", "version", "deleted"],
    rest: "ORDER BY (project, evaluation, id)",
    // All trials of a row are on one shard. If a trial's row changes, its writer moves it.
    shardBy: "sipHash64(project, digest)",
  },
  {
    name: "payloads",
    columns: `project LowCardinality(String), evaluation String, id String, version UInt64, deleted UInt8,
      started Int64, example String CODEC(ZSTD(1)), output String CODEC(ZSTD(1)), facts String CODEC(ZSTD(1))`,
    engine: ["ReplacingMergeTree", "version", "deleted"],
    rest: `ORDER BY (project, evaluation, id) ${POINT_READS}`,
    shardBy: "sipHash64(project, evaluation, id)",
  },
  {
    name: "dataset_rows",
    columns: `project LowCardinality(String), key String, version UInt64, marks UInt8, hash String,
      text String CODEC(ZSTD(1)), value JSON(max_dynamic_paths = 256)`,
    engine: ["ReplacingMergeTree", "version"],
    rest: `ORDER BY (project, key) ${POINT_READS}`,
    // A key is a digest, or a reference that ends in one: the row is on the shard of its trials.
    shardBy: "sipHash64(project, arrayElement(splitByChar('/', key), -1))",
  },
];

const DIRECTIONS_TABLE: Table = {
  name: "score_directions",
  columns: "project LowCardinality(String), field String, version UInt64, direction LowCardinality(String)",
  engine: ["ReplacingMergeTree", "version"],
  rest: "ORDER BY (project, field)",
  shardBy: "sipHash64(project)",
};

const STEPS: readonly ((place: TableLocation) => readonly string[])[] = [
  (place) => TABLES.flatMap((table) => createTable(place, table)),
  // Finds the few trials of a page's rows without reading every digest.
  ({ database, cluster }) => {
    const [name, on] =
      cluster === undefined ? ["trials", ""] : [`trials${LOCAL}`, ` ON CLUSTER '${cluster}'`];
    const alter = `ALTER TABLE ${database}.${name}${on}`;
    return [
      `${alter} ADD INDEX IF NOT EXISTS digests digest TYPE bloom_filter(0.01) GRANULARITY 1`,
      `${alter} MATERIALIZE INDEX digests`,
    ];
  },
  // Writes that have started and not ended, with the count of each version; the parents that a call left.
  (place) => [
    ...addColumn(
      place,
      "projects",
      "open SimpleAggregateFunction(sumMap, Tuple(Array(UInt64), Array(Int64)))",
    ),
    ...addColumn(place, "calls", "left_parents Array(String)"),
  ],
  // A page has twenty rows or more, and each false positive reads unneeded data: this makes them ten times rarer.
  ({ database, cluster }) => {
    const [name, on] =
      cluster === undefined ? ["trials", ""] : [`trials${LOCAL}`, ` ON CLUSTER '${cluster}'`];
    const alter = `ALTER TABLE ${database}.${name}${on}`;
    return [
      `${alter} DROP INDEX IF EXISTS digests`,
      `${alter} ADD INDEX IF NOT EXISTS row_digests digest TYPE bloom_filter(0.001) GRANULARITY 1`,
      `${alter} MATERIALIZE INDEX row_digests`,
    ];
  },
  // The rules by which calls were read: what a trial is, what its facts are, and how numbers count in a digest.
  (place) => addColumn(place, "calls", "rules UInt8 DEFAULT 0"),
  (place) => createTable(place, DIRECTIONS_TABLE),
];

/** Steps after which all calls are read again, before the step counts as taken. */
export const REINDEXING_STEPS: ReadonlySet<number> = new Set([5]);

function addColumn({ database, cluster }: TableLocation, table: string, column: string): readonly string[] {
  const add = (name: string, on: string): string =>
    `ALTER TABLE ${database}.${name}${on} ADD COLUMN IF NOT EXISTS ${column}`;
  if (cluster === undefined) return [add(table, "")];
  const on = ` ON CLUSTER '${cluster}'`;
  return [add(`${table}${LOCAL}`, on), add(table, on)];
}

/** The statements that create the database and the table of steps; then those of each step. */
export function schemaSql(place: TableLocation): {
  readonly begin: readonly string[];
  readonly steps: readonly (readonly string[])[];
} {
  const on = place.cluster === undefined ? "" : ` ON CLUSTER '${place.cluster}'`;
  return {
    begin: [`CREATE DATABASE IF NOT EXISTS ${place.database}${on}`, ...createTable(place, STEPS_TABLE)],
    steps: STEPS.map((step) => step(place)),
  };
}
