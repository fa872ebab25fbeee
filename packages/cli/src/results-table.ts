// The answer to a query for a person: its rows with the scores of each evaluation side by side, and the summary.

import type { EvalResults } from "@assay/eval-engine";
import { labelsOf } from "./evaluation-labels.ts";
import { rowsTable } from "./rows-table.ts";
import { summaryTable } from "./summary-table.ts";

/** Results for a terminal of `width` columns. */
export function resultsTable(results: EvalResults, width: number): string {
  const labels = labelsOf(results);
  const summary = results.summary === null ? [] : [summaryTable(results.summary, labels, width)];
  const notes = results.warnings.map((warning) => `Note: ${warning}`);
  return [rowsTable(results, labels, width), ...summary, ...notes].join("\n");
}
