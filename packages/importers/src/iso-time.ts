// Times as files give them, in numbers, as ISO 8601.

/** The time so many milliseconds after 1970; undefined when there is none, or no calendar has it. */
export function isoTime(milliseconds: number | undefined): string | undefined {
  const time = new Date(milliseconds ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** The same of seconds. */
export function isoTimeOfSeconds(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : isoTime(seconds * 1000);
}
