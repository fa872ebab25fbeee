// Shared by DuckDB and ClickHouse: the columns of their tables, and the conversion of rows to an answer.

import type { Answer, EvaluationSummary } from "../answer.ts";
import type { Dataset, Dimension } from "../dataset.ts";
import { LEADING_COLUMNS } from "../flat-file.ts";
import type { Workload } from "../workloads.ts";

/** The columns of the flat table in the order of the flat file, with the engine's type names. */
export function columnsOf(
  dataset: Dataset,
  types: Readonly<Record<"row" | "small" | "mask" | Dimension["type"] | "output", string>>,
): readonly (readonly [name: string, type: string])[] {
  return [
    ...LEADING_COLUMNS.map(
      (name) => [name, types[name === "row" ? "row" : name === "present" ? "mask" : "small"]] as const,
    ),
    ...dataset.dimensions.map((d) => [d.column, types[d.type]] as const),
    ["output", types.output] as const,
  ];
}

/**
 * The columns of the summary for each evaluation: number of rows, evaluation, trials, then two columns per dimension.
 */
export function summaryColumns(dataset: Dataset, rows: string): string {
  const aggregates = { binary: "sum(?)", continuous: "avg(?)", text: "NULL" };
  const columns = dataset.dimensions.map(
    ({ column, type }) => `count(${column}), ${aggregates[type].replace("?", column)}`,
  );
  return `${rows}, evaluation, count(*), ${columns.join(", ")}`;
}

/** The queries, each with its own SQL text. */
export type QueryName =
  | "difference"
  | "filter"
  | "text"
  | "summary"
  | "filteredSummary"
  | "firstPage"
  | "deepPage"
  | "everythingPage"
  | "everythingSummary";

type Rows = readonly (readonly unknown[])[];

/** Runs a query in a given turn and returns its rows. */
export type Run = (name: QueryName, turn: number) => Promise<Rows>;

/** Answers a workload with one or two queries. */
export async function answerWith(
  dataset: Dataset,
  run: Run,
  workload: Workload,
  turn: number,
): Promise<Answer> {
  const nothing: Answer = { page: null, outputs: null, summary: null };
  switch (workload) {
    case "difference":
    case "filter":
    case "text":
      return { ...nothing, page: readPage(dataset, await run(workload, turn)) };
    case "summary":
      return { ...nothing, summary: readSummary(dataset, await run("summary", turn)) };
    case "summary, filtered":
      return { ...nothing, summary: readSummary(dataset, await run("filteredSummary", turn)) };
    case "page, first":
    case "page, deep": {
      const rows = await run(workload === "page, first" ? "firstPage" : "deepPage", turn);
      const { total } = readPage(dataset, rows);
      const digests = [...new Set(rows.map(([row]) => dataset.digests[Number(row)]!))];
      return { ...nothing, page: { total, digests }, outputs: rows.map(([, output]) => String(output)) };
    }
    case "everything":
      return {
        ...nothing,
        page: readPage(dataset, await run("everythingPage", turn)),
        summary: readSummary(dataset, await run("everythingSummary", turn)),
      };
  }
}

/** Reads the summary from rows of `summaryColumns`, one per evaluation in request order. */
function readSummary(dataset: Dataset, rows: Rows): NonNullable<Answer["summary"]> {
  const evaluations = rows.map(([, evaluation, trials, ...values]): EvaluationSummary => {
    const dimensions = dataset.dimensions.flatMap(({ column, type }, d) => {
      const count = Number(values[2 * d]);
      const aggregate = values[2 * d + 1];
      if (count === 0) return [];
      return [
        {
          column,
          trials: count,
          passed: type === "binary" ? Number(aggregate) : null,
          mean: type === "continuous" ? Number(aggregate) : null,
        },
      ];
    });
    return { evaluation: dataset.evaluations[Number(evaluation)]!, trials: Number(trials), dimensions };
  });
  return { rows: Number(rows[0]?.[0] ?? 0), evaluations };
}

/** Reads a page from rows of `row, …, total`. An empty page has no total; it counts as zero. */
function readPage(dataset: Dataset, rows: Rows): NonNullable<Answer["page"]> {
  return {
    total: Number(rows[0]?.at(-1) ?? 0),
    digests: rows.map(([row]) => dataset.digests[Number(row)]!),
  };
}
