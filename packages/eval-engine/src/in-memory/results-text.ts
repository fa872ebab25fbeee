// Writes an answer as JSON text in pieces, so that a large one neither needs its whole text in memory nor blocks other
// work. Joined, the pieces are exactly the JSON text of the results, with numbers in their logged notation.

import { jsonText } from "@assay/base";
import type { EvalResults, EvalResultsInParts, EvalResultsRow } from "../query/response.ts";

/** The text of `results` in chunks, in order. */
export function* resultsText(results: EvalResults): Generator<string, void, undefined> {
  const { rows } = results;
  const after = textAfterRows(results);
  let [text, separator] = [START, ""];
  for (const row of rows) {
    text += separator + jsonText(row);
    separator = ",";
    if (text.length < PIECE) continue;
    yield text;
    text = "";
  }
  yield text + after;
}

/** The same text for an answer in parts. */
export async function* partsText(results: EvalResultsInParts): AsyncGenerator<string, void, undefined> {
  const { row_count: _, rows, ...rest } = results;
  let [text, separator] = [START, ""];
  try {
    for (;;) {
      const { done, value } = await rows.next();
      if (done === true) {
        yield text + textAfterRows({ ...rest, warnings: value });
        return;
      }
      for (const row of value) {
        text += separator + jsonText(row);
        separator = ",";
        if (text.length < PIECE) continue;
        yield text;
        text = "";
      }
    }
  } finally {
    await rows.return([]);
  }
}

/** Everything after the rows, which come first in an answer. */
function textAfterRows({ total_rows, summary, warnings }: Omit<EvalResults, "rows">): string {
  const rows: readonly EvalResultsRow[] = [];
  const text = JSON.stringify({ rows, total_rows, summary, warnings });
  return text.slice(START.length);
}

// The approximate number of characters in a chunk of an answer in parts.
const PIECE = 64 * 1024;

const START = '{"rows":[';
