// Reads durations that are written with their unit.

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|millis|milliseconds?)$/, 0.001],
  [/^(?:s|secs?|seconds?)$/, 1],
  [/^(?:m|mins?|minutes?)$/, 60],
  [/^(?:h|hrs?|hours?)$/, 3600],
];
const CLOCK = /^(?:(\d+) days?,? )?(\d{1,3}):(\d{2}):(\d{2}(?:\.\d+)?)$/;
const PARTS = /^(?:\d+(?:\.\d+)? ?[a-z]+ ?)+$/;

/** The seconds of a text such as `646 ms`, `1.2s`, `1m 3s` or `0 days 00:00:01.5`; undefined for others. */
export function durationSeconds(text: string): number | undefined {
  const lower = text.trim().toLowerCase();
  const [, days = 0, hours, minutes, seconds] = CLOCK.exec(lower) ?? [];
  if (hours !== undefined)
    return Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  if (!PARTS.test(lower)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of lower.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/g)) {
    const known = UNITS.find(([names]) => names.test(unit!));
    if (known === undefined) return undefined;
    sum += Number(amount) * known[1];
  }
  return sum;
}
