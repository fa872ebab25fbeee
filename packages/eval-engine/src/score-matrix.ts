// What a summary adds up, once more, trial by trial: a filter picks trials far apart, and in columns each of a trial's
// scores would be another wait for memory. Made when the first filtered summary asks for it, of evaluations that stand
// still; it costs eight bytes for each score of each trial. Must hold exactly what the columns hold.

import type { Segment } from "./segment.ts";
import type { Work } from "./work.ts";

/** Numbers of trials side by side. */
export interface ScoreMatrix {
  /** Numbers per trial. */
  readonly width: number;
  /** Where in a trial's numbers the one of a column is; the column's array stands for it. */
  readonly places: ReadonlyMap<Float64Array, number>;
  readonly numbers: Float64Array;
}

// Trials that are put in between two looks at the time.
const TRIALS_AT_ONCE = 65_536;

/** Makes the matrix of a segment, unless it is there or the segment is changing. */
export async function prepareScoreMatrix(segment: Segment, work: Work): Promise<void> {
  if (!segment.tidy || segment.scoreMatrix !== undefined) return;
  const { scores, tokens, ownTokens } = segment.parts;
  const columns = scores.columns
    .map(({ values }) => values)
    .filter(({ isNumeric, isBinary }) => isNumeric || isBinary)
    .map(({ numbers }) => numbers.array);
  const places = new Map([tokens.array, ownTokens.array, ...columns].map((array, place) => [array, place]));
  const width = places.size;
  const numbers = new Float64Array(width * segment.trials);
  for (let from = 0; from < segment.trials; from += TRIALS_AT_ONCE) {
    const to = Math.min(from + TRIALS_AT_ONCE, segment.trials);
    for (const [array, place] of places) {
      for (let i = from; i < to; i++) numbers[i * width + place] = array[i]!;
    }
    const pause = work.spend((to - from) * width * 4);
    if (pause !== undefined) await pause;
  }
  segment.scoreMatrix = { width, places, numbers };
}
