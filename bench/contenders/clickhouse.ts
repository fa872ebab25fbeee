// ClickHouse in this process (chDB): one in-memory table of typed columns, all cores. The Memory engine is up to seven
// times as fast here as MergeTree, which has to decompress its parts.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "chdb";
import type { Dataset } from "../dataset.ts";
import { deepOffset, PAGE, SORTED_EVALUATION, TURNS, type Turn, turnOf, WORKLOADS } from "../workloads.ts";
import type { Contender } from "./contender.ts";
import { answerWith, columnsOf, type QueryName, type Run, summaryColumns } from "./sql.ts";

const TYPES = {
  row: "UInt32",
  small: "UInt8",
  mask: "UInt16",
  continuous: "Nullable(Float64)",
  binary: "Nullable(UInt8)",
  text: "Nullable(String)",
  output: "String",
};

/** Loads the flat file at `path`. */
export async function clickhouseContender(dataset: Dataset, path: string): Promise<Contender> {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-chdb-"));
  const session = new Session(folder);
  const columns = columnsOf(dataset, TYPES).map(([name, type]) => `${name} ${type}`);
  session.query("CREATE DATABASE bench");
  session.query(`CREATE TABLE bench.trials (${columns}) ENGINE = Memory`);
  // One thread: two would interleave their blocks, and keeping the row order makes queries faster.
  session.query(
    `INSERT INTO bench.trials SELECT * FROM file('${path}', 'CSV', '${columns.join(", ")}')
     SETTINGS max_threads = 1, max_insert_threads = 1, input_format_parallel_parsing = 0`,
  );
  session.query(
    `CREATE TABLE bench.rows ENGINE = Memory AS
     SELECT row, any(category) AS category, any(present) AS present FROM bench.trials GROUP BY row ORDER BY row`,
  );

  const sql = Array.from({ length: TURNS }, (_, turn) => queries(dataset, turnOf(dataset, turn)));
  const run: Run = async (name, turn) => {
    const text = session.query(sql[turn % TURNS]![name], "JSONCompact");
    return (JSON.parse(text) as { readonly data: readonly (readonly unknown[])[] }).data;
  };
  return {
    name: "ClickHouse",
    workloads: WORKLOADS,
    answer: (workload, turn) => answerWith(dataset, run, workload, turn),
    close: async () => {
      session.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// The same queries as for DuckDB; `greatest` and `least` need values other than null.
function queries(dataset: Dataset, { needle, threshold }: Turn): Readonly<Record<QueryName, string>> {
  const { category, numeric } = dataset.questions;
  const every = dataset.evaluations.map((_, e) => e);
  const all = 2 ** every.length - 1;

  const means = every.map((e) => `avgIf(${numeric}, evaluation = ${e}) AS m${e}`);
  const known = every.map((e) => `isNotNull(m${e})`).join(" + ");
  const bound = (value: string) => every.map((e) => `ifNull(m${e}, ${value})`);
  const differences = (where: string) =>
    `SELECT row, if(${known} >= 2, greatest(${bound("-inf")}) - least(${bound("inf")}), NULL) AS difference, highest
     FROM (SELECT row, ${means}, max(${numeric}) AS highest FROM bench.trials ${where} GROUP BY row)`;
  const largestFirst = `ORDER BY difference DESC NULLS LAST, row LIMIT ${PAGE}`;
  const best = (also: string) =>
    `FROM bench.trials WHERE category = ${category} AND ${numeric} > ${threshold} ${also}`;
  const filteredSummary = (also: string) =>
    `WITH (SELECT uniqExact(row) ${best(also)}) AS kept SELECT ${summaryColumns(dataset, "kept")} FROM bench.trials
     WHERE category = ${category} ${also} AND row IN (SELECT row ${best(also)})
     GROUP BY evaluation ORDER BY evaluation`;
  const page = (offset: number) =>
    `SELECT row, output, (SELECT count() FROM bench.rows) AS total FROM bench.trials
     WHERE row IN (SELECT row FROM bench.rows ORDER BY row LIMIT ${PAGE} OFFSET ${offset})
     ORDER BY row, evaluation, trial`;

  return {
    difference: `SELECT row, difference, (SELECT count() FROM bench.rows) AS total FROM (${differences("")}) ${largestFirst}`,
    filter: `SELECT row, avgIf(${numeric}, evaluation = ${SORTED_EVALUATION}) AS score, count() OVER () AS total
       FROM bench.trials WHERE category = ${category} GROUP BY row HAVING max(${numeric}) > ${threshold}
       ORDER BY score DESC NULLS LAST, row LIMIT ${PAGE}`,
    text: `SELECT row, count() OVER () AS total
       FROM (SELECT DISTINCT row FROM bench.trials WHERE position(output, '${needle}') > 0) ORDER BY row LIMIT ${PAGE}`,
    summary: `SELECT ${summaryColumns(dataset, "(SELECT count() FROM bench.rows)")}
       FROM bench.trials GROUP BY evaluation ORDER BY evaluation`,
    filteredSummary: filteredSummary(""),
    firstPage: page(0),
    deepPage: page(deepOffset(dataset)),
    everythingPage: `SELECT row, difference, count() OVER () AS total
       FROM (${differences(`WHERE category = ${category} AND present = ${all}`)})
       WHERE highest > ${threshold} ${largestFirst}`,
    everythingSummary: filteredSummary(`AND present = ${all}`),
  };
}
