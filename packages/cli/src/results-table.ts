// The answer to a query for a person: its rows with the scores of each evaluation side by side, and the summary.

import type { EvalResults, EvalResultsSortBy } from "@assay/eval-engine";
import { labelsOf } from "./evaluation-labels.ts";
import { plainText } from "./plain-text.ts";
import { rowsTable } from "./rows-table.ts";
import { sortText } from "./sort-text.ts";
import { summaryTable } from "./summary-table.ts";
import { linesOf } from "./table.ts";

/** Results for a terminal of `width` columns; `sortBy` is what the query sorted them by. */
export function resultsTable(
  results: EvalResults,
  width: number,
  sortBy: readonly EvalResultsSortBy[] = [],
): string {
  const labels = labelsOf(results);
  const summary = results.summary === null ? [] : [summaryTable(results.summary, labels, width)];
  const notes = results.warnings.map((warning) => `Note: ${warning}`);
  const sorted = results.rows.length > 1 ? linesOf(plainText(sortText(sortBy, labels)), width) : [];
  return [rowsTable(results, labels, width), ...sorted, ...summary, ...notes].join("\n");
}
