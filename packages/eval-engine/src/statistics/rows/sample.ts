// Facts about an evaluation from single trials: the dataset of its rows, and duplicate trials. The columns and the
// reference share these rules.

import type { Json } from "@assay/base";
import { rowIdOf } from "@assay/calls";
import { deepEqual } from "@assay/query-lang/internal";

/** The dataset of the row that an example refers to; undefined if it is not a reference. */
export function datasetOf(example: Json): string | undefined {
  const id = rowIdOf(example);
  return id === undefined ? undefined : (example as string).slice(0, -`/attr/rows/id/${id}`.length);
}

/** A trial of a row that may duplicate another. */
export interface Repeatable {
  /** NaN if unknown. */
  readonly startedAt: number;
  readonly output: () => Json;
}

/**
 * How many trials of a row have the same start and output as an earlier one. Outputs are only read if starts agree.
 */
export function repeatedIn(trials: readonly Repeatable[]): number {
  let repeated = 0;
  for (const [i, trial] of trials.entries()) {
    const twin = trials
      .slice(0, i)
      .some((other) => other.startedAt === trial.startedAt && deepEqual(other.output(), trial.output()));
    if (twin) repeated++;
  }
  return repeated;
}
