// DuckDB in this process: one in-memory table of typed columns, prepared statements, all cores.

import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement } from "@duckdb/node-api";
import type { Dataset } from "../dataset.ts";
import { deepOffset, PAGE, SORTED_EVALUATION, TURNS, type Turn, turnOf, WORKLOADS } from "../workloads.ts";
import type { Contender } from "./contender.ts";
import { answerWith, columnsOf, type QueryName, type Run, summaryColumns } from "./sql.ts";

/** Up to this number of evaluations, one filtered mean for each is faster. */
const FEW = 4;

const TYPES = {
  row: "INTEGER",
  small: "UTINYINT",
  mask: "USMALLINT",
  continuous: "DOUBLE",
  binary: "BOOLEAN",
  text: "VARCHAR",
  output: "VARCHAR",
};

/** An in-memory database with the table `trials` from the flat file at `path`. `threads` defaults to all cores. */
export async function openTrials(
  dataset: Dataset,
  path: string,
  threads?: number,
): Promise<{
  readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  readonly close: () => void;
}> {
  const instance = await DuckDBInstance.create(
    ":memory:",
    threads === undefined ? {} : { threads: `${threads}` },
  );
  const connection = await instance.connect();
  const columns = columnsOf(dataset, TYPES).map(([name, type]) => `'${name}': '${type}'`);
  await connection.run(
    `CREATE TABLE trials AS FROM read_csv('${path}', header = false, delim = ',', quote = '"', escape = '"',
       nullstr = '\\N', columns = {${columns}})`,
  );
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  return { instance, connection, close };
}

/** Loads the flat file at `path`. `threads` defaults to all cores. */
export async function duckdbContender(dataset: Dataset, path: string, threads?: number): Promise<Contender> {
  const { instance, connection, close } = await openTrials(dataset, path, threads);
  await connection.run(
    `CREATE TABLE rows AS SELECT row, any_value(category) AS category, any_value(present) AS present
     FROM trials GROUP BY row ORDER BY row`,
  );

  // Row numbers are small integers, which DuckDB can group without hashing, by default only up to 4096 groups. A higher
  // threshold makes queries that group every row faster (by a third at 100k rows) and others slower.
  const dense = await instance.connect();
  await dense.run("SET perfect_ht_threshold = 21");

  // Literals are part of the text, and each turn is prepared in advance, so that measurements include no planning.
  const statements: ReadonlyMap<string, DuckDBPreparedStatement>[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const prepared = new Map<string, DuckDBPreparedStatement>();
    for (const [name, sql] of Object.entries(queries(dataset, turnOf(dataset, turn))))
      prepared.set(name, await (name === "difference" ? dense : connection).prepare(sql));
    statements.push(prepared);
  }
  const run: Run = async (name, turn) => (await statements[turn % TURNS]!.get(name)!.run()).getRowsJS();
  return {
    name: "DuckDB",
    workloads: WORKLOADS,
    answer: (workload, turn) => answerWith(dataset, run, workload, turn),
    close: async () => {
      dense.closeSync();
      close();
    },
  };
}

// The fastest of the queries that we tried for each workload.
function queries(dataset: Dataset, { needle, threshold }: Turn): Readonly<Record<QueryName, string>> {
  const { category, numeric } = dataset.questions;
  const every = dataset.evaluations.map((_, e) => e);
  const all = 2 ** every.length - 1;

  // With few evaluations, one pass that groups only by row, with a filtered mean per evaluation, is twice as fast as
  // grouping twice; with twelve it is slower.
  const means = every.map((e) => `avg(${numeric}) FILTER (evaluation = ${e}) AS m${e}`);
  const values = every.map((e) => `m${e}`);
  const known = every.map((e) => `(m${e} IS NOT NULL)::INTEGER`).join(" + ");
  const differences = (where: string) =>
    every.length <= FEW
      ? `SELECT row, CASE WHEN ${known} >= 2 THEN greatest(${values}) - least(${values}) END AS difference, highest
         FROM (SELECT row, ${means}, max(${numeric}) AS highest FROM trials ${where} GROUP BY row)`
      : `SELECT row, CASE WHEN count(m) >= 2 THEN max(m) - min(m) END AS difference, max(top) AS highest
         FROM (SELECT row, evaluation, avg(${numeric}) AS m, max(${numeric}) AS top FROM trials ${where} GROUP BY row, evaluation)
         GROUP BY row`;
  const largestFirst = `ORDER BY difference DESC NULLS LAST, row LIMIT ${PAGE}`;
  const best = (also: string) =>
    `FROM trials WHERE category = ${category} AND ${numeric} > ${threshold} ${also}`;
  const filteredSummary = (also: string) =>
    `WITH kept AS MATERIALIZED (SELECT DISTINCT row ${best(also)})
     SELECT ${summaryColumns(dataset, "(SELECT count(*) FROM kept)")}
     FROM trials SEMI JOIN kept USING (row) WHERE category = ${category} ${also}
     GROUP BY evaluation ORDER BY evaluation`;
  const page = (offset: number) =>
    `SELECT row, output, (SELECT count(*) FROM rows) FROM trials
     WHERE row IN (SELECT row FROM rows ORDER BY row LIMIT ${PAGE} OFFSET ${offset}) ORDER BY row, evaluation, trial`;

  return {
    difference: `SELECT row, difference, (SELECT count(*) FROM rows) FROM (${differences("")}) ${largestFirst}`,
    filter: `SELECT row, avg(${numeric}) FILTER (evaluation = ${SORTED_EVALUATION}) AS score, count(*) OVER ()
       FROM trials WHERE category = ${category} GROUP BY row HAVING max(${numeric}) > ${threshold}
       ORDER BY score DESC NULLS LAST, row LIMIT ${PAGE}`,
    text: `SELECT row, count(*) OVER () FROM (SELECT DISTINCT row FROM trials WHERE contains(output, '${needle}'))
       ORDER BY row LIMIT ${PAGE}`,
    summary: `SELECT ${summaryColumns(dataset, "(SELECT count(*) FROM rows)")}
       FROM trials GROUP BY evaluation ORDER BY evaluation`,
    filteredSummary: filteredSummary(""),
    firstPage: page(0),
    deepPage: page(deepOffset(dataset)),
    everythingPage: `SELECT row, difference, count(*) OVER ()
       FROM (${differences(`WHERE category = ${category} AND present = ${all}`)})
       WHERE highest > ${threshold} ${largestFirst}`,
    everythingSummary: filteredSummary(`AND present = ${all}`),
  };
}
