// The sums of comparisons in hand-written SQL, over a table with one row of means for each row of the data set: DuckDB
// gets the same precomputed state as Assay.

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Dataset } from "../dataset.ts";
import { writeFlatFile } from "../flat-file.ts";
import { type Figures, measuredBy, type Question } from "../statistics.ts";
import { openTrials } from "./duckdb.ts";

/** Row means: `category`, `greatest` (for the filter) and one column for each evaluation and dimension. */
export interface WideTable {
  readonly names: readonly string[];
  /** NaN for missing values. */
  readonly columns: readonly Float64Array[];
  readonly evaluations: number;
  /** The names of the dimensions. */
  readonly dimensions: readonly string[];
}

/** DuckDB with the row means of a data set. */
export interface DuckdbStatistics {
  answer(question: Question, threshold: number): Promise<Figures>;
  wide(): Promise<WideTable>;
  close(): Promise<void>;
}

/** Loads a data set through a file in `folder`. */
export async function duckdbStatistics(dataset: Dataset, folder: string): Promise<DuckdbStatistics> {
  const flat = join(folder, "trials.csv");
  writeFlatFile(dataset, flat);
  const { connection, close } = await openTrials(dataset, flat);
  rmSync(flat);
  const dimensions = dataset.dimensions.map(({ column }) => column);
  const means = dataset.evaluations.flatMap((_, e) =>
    dataset.dimensions.map(
      ({ column, type }) =>
        `avg(${column}${type === "binary" ? "::INTEGER" : ""}) FILTER (evaluation = ${e}) AS ${column}_${e}`,
    ),
  );
  await connection.run(
    `CREATE TABLE wide AS SELECT any_value(category)::DOUBLE AS category,
       max(${dataset.questions.numeric}) AS greatest, ${means} FROM trials GROUP BY row ORDER BY row`,
  );
  await connection.run("DROP TABLE trials");
  const prepared = new Map<string, Awaited<ReturnType<typeof connection.prepare>>>();
  return {
    async answer(question, threshold) {
      const sql = `${selected(question, dataset)} FROM wide ${where(threshold)} ${question.slices === true ? "GROUP BY category" : ""}`;
      const statement = prepared.get(sql) ?? (await connection.prepare(sql));
      prepared.set(sql, statement);
      const rows = (await statement.run()).getRowObjectsJS();
      return Object.fromEntries(
        (await rows).flatMap((row) => {
          const { category, ...figures } = row;
          const prefix = question.slices === true ? `${Number(category)} ` : "";
          return Object.entries(figures).map(([name, value]) => [
            `${prefix}${name}`,
            value === null ? null : Number(value),
          ]);
        }),
      );
    },
    async wide() {
      const result = await connection.runAndReadAll("SELECT * FROM wide");
      const columns = result
        .getColumnsJS()
        .map((column) => Float64Array.from(column, (value) => (value === null ? Number.NaN : Number(value))));
      return { names: result.columnNames(), columns, evaluations: dataset.evaluations.length, dimensions };
    },
    close: async () => close(),
  };
}

const where = (threshold: number): string =>
  Number.isFinite(threshold) ? `WHERE greatest > ${threshold}` : "";

function selected(question: Question, dataset: Dataset): string {
  const columns = measuredBy(question, dataset).map(({ column }) => column);
  if (question.ranking === true) {
    const every = dataset.evaluations.map((_, e) => `${columns[0]}_${e}`);
    const pairs = every.flatMap((a, i) =>
      every.slice(i + 1).map((b, k) => `avg(${a} - ${b}) AS "${i} ${i + 1 + k}"`),
    );
    return `SELECT ${pairs}`;
  }
  const name = (column: string, figure: string): string =>
    question.slices === true ? `"${figure}"` : `"${column} ${figure}"`;
  const figures = columns.flatMap((column) => {
    const [a, b] = [`${column}_0`, `${column}_1`];
    const paired = (side: string): string =>
      question.slices === true
        ? `avg(${side}) FILTER (${a} IS NOT NULL AND ${b} IS NOT NULL)`
        : `avg(${side})`;
    return [
      `count(${b} - ${a}) AS ${name(column, "pairs")}`,
      `avg(${b} - ${a}) AS ${name(column, "difference")}`,
      `${paired(a)} AS ${name(column, "baseline")}`,
      `${paired(b)} AS ${name(column, "candidate")}`,
      ...(question.slices === true
        ? []
        : [
            `stddev_samp(${b} - ${a}) / sqrt(count(${b} - ${a})) AS ${name(column, "se")}`,
            `corr(${a}, ${b}) AS ${name(column, "correlation")}`,
          ]),
    ];
  });
  return `SELECT ${question.slices === true ? "category, " : ""}${figures}`;
}
