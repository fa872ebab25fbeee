// Converts numeric times in files to ISO 8601.

/** The time this many milliseconds after 1970; undefined if missing or beyond the calendar. */
export function isoTime(milliseconds: number | undefined): string | undefined {
  const time = new Date(milliseconds ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** The time this many seconds after 1970; undefined if missing or beyond the calendar. */
export function isoTimeOfSeconds(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : isoTime(seconds * 1000);
}

/** A time as tools write it, such as `2026-11-22 10:00:00.000000`: UTC if it has no zone. */
export function utcTime(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return /(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text.replace(" ", "T")}Z`;
}
