// Measurements of how an answer was made, converted from formats to the units of a trial.

/** A time in seconds; undefined if it is unknown. */
export function secondsOf(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

/** The sum of counts; undefined if there are none. */
export function totalOf(counts: readonly number[]): number | undefined {
  return counts.length === 0 ? undefined : counts.reduce((a, b) => a + b);
}
