// The trials of a data set as one CSV file, which DuckDB and ClickHouse both load natively: both get exactly the same
// rows, in the order that suits them best.

import { closeSync, openSync, writeSync } from "node:fs";
import type { Dataset, Score, Trial } from "./dataset.ts";

/**
 * The columns before the scores. `present` is a bit mask of the evaluations that have the row: properties of a row are
 * copied into each of its trials, so that no query needs a join.
 */
export const LEADING_COLUMNS = ["row", "evaluation", "trial", "category", "present"] as const;

const CHUNK = 1 << 20;

const quoted = (text: string) => `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;

function field(score: Score): string {
  if (score === null) return "\\N";
  if (typeof score === "boolean") return score ? "1" : "0";
  return typeof score === "number" ? `${score}` : quoted(score);
}

/**
 * Writes all trials of `dataset`, ordered by row, evaluation and trial: the leading columns, each score, the output;
 * null is `\N`. Returns the number of lines.
 */
export function writeFlatFile(dataset: Dataset, path: string): number {
  const file = openSync(path, "w");
  let chunk = "";
  let count = 0;
  const write = (trials: readonly Trial[]) => {
    const present = trials.reduce((bits, trial) => bits | (1 << trial.evaluation), 0);
    for (const trial of trials) {
      let line = `${trial.row},${trial.evaluation},${trial.trial},${trial.category},${present}`;
      for (const score of trial.scores) line += `,${field(score)}`;
      chunk += `${line},${quoted(trial.output)}\n`;
      count++;
    }
    if (chunk.length >= CHUNK) {
      writeSync(file, chunk);
      chunk = "";
    }
  };

  let row: Trial[] = [];
  for (const trial of dataset.trials()) {
    if (row.length > 0 && row[0]!.row !== trial.row) {
      write(row);
      row = [];
    }
    row.push(trial);
  }
  write(row);
  writeSync(file, chunk);
  closeSync(file);
  return count;
}
