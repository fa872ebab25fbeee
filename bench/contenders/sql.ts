// What DuckDB and ClickHouse share: which columns their tables have, and how summary rows become an answer.

import type { Answer, EvaluationSummary } from "../answer.ts";
import type { Dataset, Dimension } from "../dataset.ts";
import { LEADING_COLUMNS } from "../flat-file.ts";

/** The columns of the flat table in the order of the flat file, with an engine's own type names. */
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

/** What the summary selects per evaluation: rows in all, evaluation, trials, then two columns per dimension. */
export function summaryColumns(dataset: Dataset, rows: string): string {
  const aggregates = { binary: "sum(?)", continuous: "avg(?)", text: "NULL" };
  const columns = dataset.dimensions.map(
    ({ column, type }) => `count(${column}), ${aggregates[type].replace("?", column)}`,
  );
  return `${rows}, evaluation, count(*), ${columns.join(", ")}`;
}

/** The summary that rows of `summaryColumns` hold, one per evaluation in request order. */
export function readSummary(dataset: Dataset, rows: readonly (readonly unknown[])[]): Answer["summary"] {
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

/** The page that rows of `row, …, total` hold. An empty page says nothing of the total: it is then zero. */
export function readPage(dataset: Dataset, rows: readonly (readonly unknown[])[]): Answer["page"] {
  return {
    total: Number(rows[0]?.at(-1) ?? 0),
    digests: rows.map(([row]) => dataset.digests[Number(row)]!),
  };
}
