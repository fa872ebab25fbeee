// An answer as JSON text in pieces, so that a large one needs neither a text of its whole size nor a long stretch
// without a pause. Together the pieces are exactly the JSON text of the results, with numbers as they were logged.

import { jsonText } from "@assay/base";
import type { EvalResults } from "./response.ts";

// Trials in a piece, about: some hundred kilobytes of text.
const TRIALS = 512;

/** The text of `results` in pieces, in order. */
export function* resultsText(results: EvalResults): Generator<string, void, undefined> {
  const { rows } = results;
  const rest = JSON.stringify({ ...results, rows: [] });
  // `rows` comes first in an answer.
  const [before, after] = [rest.slice(0, START.length), rest.slice(START.length)];
  if (before !== START) throw new Error("an answer does not begin with its rows");
  let piece: string[] = [];
  let trials = 0;
  let lead = before;
  for (const row of rows) {
    piece.push(jsonText(row));
    for (const evaluation of row.evaluations) trials += evaluation.trials.length;
    if (trials < TRIALS) continue;
    yield lead + piece.join(",");
    lead = ",";
    piece = [];
    trials = 0;
  }
  yield (piece.length > 0 ? lead : lead === "," ? "" : lead) + piece.join(",") + after;
}

const START = '{"rows":[';
