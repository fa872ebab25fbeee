// ISO 8601 times as numbers. The SDKs write microseconds, which JavaScript's Date drops.

const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|z|[+-]\d\d:?\d\d)?$/;

/**
 * Microseconds since 1970 of an ISO 8601 time, or NaN when it cannot be read. Without an offset the time is UTC.
 * Microseconds of any year to 2255 are exact in a double.
 */
export function microseconds(text: string | null): number {
  if (text === null) return Number.NaN;
  const match = ISO.exec(text);
  if (match === null) return Number.NaN;
  const [, year, month, day, hour, minute, second = "0", fraction = "", zone = "Z"] = match;
  const ms = Date.UTC(+year!, +month! - 1, +day!, +hour!, +minute!, +second);
  const micros = fraction === "" ? 0 : +fraction.padEnd(6, "0").slice(0, 6);
  return (ms - offsetMinutes(zone) * 60_000) * 1000 + micros;
}

function offsetMinutes(zone: string): number {
  if (zone === "Z" || zone === "z") return 0;
  const minutes = +zone.slice(1, 3) * 60 + +zone.slice(-2);
  return zone.startsWith("-") ? -minutes : minutes;
}
