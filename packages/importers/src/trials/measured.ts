// Measurements of how an answer was made, converted from formats to the units of a trial.

/** A time in seconds; undefined if it is unknown. */
export function secondsOf(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

/** The seconds from one time to another; undefined if one is unknown, or the second is earlier. */
export function secondsBetween(start: string | undefined, end: string | undefined): number | undefined {
  const seconds = (Date.parse(end ?? "") - Date.parse(start ?? "")) / 1000;
  return seconds >= 0 ? seconds : undefined;
}

/** The sum of counts; undefined if there are none. */
export function totalOf(counts: readonly number[]): number | undefined {
  return counts.length === 0 ? undefined : counts.reduce((a, b) => a + b);
}
