// The answer to a query for a person: its rows with the scores of each evaluation side by side, and the summary.

import type { EvalResults, EvalResultsSortBy } from "@assay/eval-engine";
import type { Filter } from "@assay/eval-engine/internal";
import { printExpression } from "@assay/query-lang";
import { labelsOf } from "./evaluation-labels.ts";
import { rowsTable } from "./rows-table.ts";
import { sortText } from "./sort-text.ts";
import { summaryTable } from "./summary-table.ts";
import { paragraph } from "./table.ts";

/** What to show in addition to the answer. */
export interface ResultsTableOptions {
  /** The width of the terminal. */
  readonly width: number;
  /** The sort keys of the query. */
  readonly sortBy?: readonly EvalResultsSortBy[];
  /** The conditions that its rows meet. */
  readonly where?: readonly Filter[];
  /** The verdicts on the evaluations, as sentences. */
  readonly verdict?: readonly string[];
  /** The requested evaluations, if the answer may not describe them. */
  readonly asked?: Parameters<typeof labelsOf>[1];
}

/** Results for a terminal. */
export function resultsTable(
  results: EvalResults,
  { width, sortBy = [], where = [], verdict = [], asked = [] }: ResultsTableOptions,
): string {
  const labels = labelsOf(results, asked);
  const summary = results.summary === null ? [] : [summaryTable(results.summary, labels, width)];
  const notes = results.warnings.map((warning) => `Note: ${warning}`);
  const sorted = results.rows.length > 1 ? paragraph(sortText(sortBy, labels), width) : [];
  const kept = where.flatMap(({ expr, evaluation }, i) => {
    const about = evaluation === null ? "" : `${labels.get(evaluation) ?? evaluation}: `;
    return paragraph(`${i === 0 ? "Where" : "and"} ${about}${printExpression(expr)}`, width);
  });
  const verdicts = verdict.flatMap((line) => paragraph(line, width));
  return [rowsTable(results, labels, width), ...kept, ...sorted, ...summary, ...verdicts, ...notes].join(
    "\n",
  );
}
