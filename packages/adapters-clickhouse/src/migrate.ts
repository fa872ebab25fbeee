// Migrates the tables of a database to the current version, and checks whether they have it.

import { Fault } from "@assay/base";
import { reindexCalls } from "./calls/reindex-calls.ts";
import type { ClickHouse } from "./connection/clickhouse.ts";
import { REINDEXING_STEPS, schemaSql, type Tables, tablesOf } from "./connection/schema.ts";

/** How to create tables. */
export interface MigrateOptions {
  /**
   * The cluster, from the server's configuration, to distribute the tables over; they are replicated if its shards
   * have replicas. Default: the cluster that already has the database, or none.
   */
  readonly cluster?: string | undefined;
}

/**
 * Runs the missing steps. Returns the number of all steps and of new ones. One step reads all calls again, and resumes
 * after an interruption. Repeating it does nothing. Throws a `missing` fault if the server does not know the cluster,
 * `conflict` if the tables are newer, or on another cluster.
 */
export async function migrateClickHouse(
  clickhouse: ClickHouse,
  database: string,
  options: MigrateOptions = {},
): Promise<{ readonly step: number; readonly taken: number }> {
  const known = await clusterOf(clickhouse, tablesOf(database));
  const cluster = options.cluster ?? known?.cluster;
  if (known !== undefined && known.cluster !== cluster) {
    const where = known.cluster === undefined ? "on one server" : `on the cluster ${known.cluster}`;
    throw new Fault(
      "conflict",
      `the tables in the ClickHouse database ${database} are ${where}, which a migration cannot change: create another database and import into it`,
    );
  }
  const tables = tablesOf(database, cluster);
  const replicated = cluster === undefined ? false : await hasReplicas(clickhouse, cluster);
  const { begin, steps } = schemaSql({ database, cluster, replicated });
  for (const sql of begin) await clickhouse.command(sql);
  const from = await stepOf(clickhouse, tables);
  if (from > steps.length) throw newer(database, from, steps.length);
  for (let step = from; step < steps.length; step++) {
    for (const sql of steps[step]!) await clickhouse.command(sql);
    if (REINDEXING_STEPS.has(step + 1)) await reindexCalls(clickhouse, tables);
    await clickhouse.insert(tables.steps, [`{"step":${step + 1}}`]);
  }
  return { step: steps.length, taken: steps.length - from };
}

/**
 * Throws a fault if the tables have another version: `missing` if they are older, `conflict` if they are newer.
 * Returns the cluster that they are distributed over.
 */
export async function checkSchema(
  clickhouse: ClickHouse,
  database: string,
): Promise<{ readonly cluster: string | undefined }> {
  const known = await clusterOf(clickhouse, tablesOf(database));
  const step = known === undefined ? 0 : await stepOf(clickhouse, tablesOf(database, known.cluster));
  const steps = schemaSql({ database, cluster: undefined, replicated: false }).steps.length;
  if (step > steps) throw newer(database, step, steps);
  if (known === undefined || step < steps) {
    throw new Fault(
      "missing",
      `the tables in the ClickHouse database ${database} are at step ${step} of ${steps}; run "assay clickhouse migrate"`,
    );
  }
  return known;
}

/** Whether the table of steps is distributed over a cluster, and which; undefined if it does not exist. */
async function clusterOf(
  clickhouse: ClickHouse,
  tables: Tables,
): Promise<{ readonly cluster: string | undefined } | undefined> {
  const [row] = await clickhouse.query({
    sql: "SELECT engine_full FROM system.tables WHERE concat(database, '.', name) = {name:String}",
    params: { name: tables.steps },
  });
  return row === undefined ? undefined : { cluster: /^Distributed\('([^']+)'/.exec(row[0] as string)?.[1] };
}

async function hasReplicas(clickhouse: ClickHouse, cluster: string): Promise<boolean> {
  const [row] = await clickhouse.query({
    sql: "SELECT count(), max(replica_num) FROM system.clusters WHERE cluster = {cluster:String}",
    params: { cluster },
  });
  const [servers, replicas] = row!.map(Number) as [number, number];
  if (servers > 0) return replicas > 1;
  throw new Fault("missing", `ClickHouse has no cluster "${cluster}"; SHOW CLUSTERS lists those that it has`);
}

async function stepOf(clickhouse: ClickHouse, tables: Tables): Promise<number> {
  const [[step]] = (await clickhouse.query({ sql: `SELECT max(step) FROM ${tables.steps}`, params: {} })) as [
    [string | number],
  ];
  return Number(step);
}

function newer(database: string, step: number, known: number): Fault {
  return new Fault(
    "conflict",
    `the tables in the ClickHouse database ${database} are at step ${step}, and this program knows ${known}: use a newer one`,
  );
}
