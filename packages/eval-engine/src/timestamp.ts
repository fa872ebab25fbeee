// ISO 8601 times as numbers. The SDKs write microseconds, which JavaScript's Date drops.

const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|z|[+-]\d\d:?\d\d)?$/;

/**
 * Microseconds since 1970 of an ISO 8601 time, or NaN when it cannot be read. Without an offset the time is UTC.
 * Microseconds of any year to 2255 are exact in a double.
 */
export function microseconds(text: string | null): number {
  if (text === null) return Number.NaN;
  const plain = plainMicroseconds(text);
  if (plain !== undefined) return plain;
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

// Every call has two times, and nearly all are written in this one way: YYYY-MM-DDTHH:MM:SS, a fraction or none, and Z.
const DIGITS = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18];

/** The same for a time written plainly in UTC; undefined when it is written in any other way. */
function plainMicroseconds(text: string): number | undefined {
  const end = text.length - 1;
  if (end < 19 || end > 26 || end === 20 || text.charCodeAt(end) !== Z || text.charCodeAt(10) !== T)
    return undefined;
  if (text[4] !== "-" || text[7] !== "-" || text[13] !== ":" || text[16] !== ":") return undefined;
  if (end > 19 && text[19] !== ".") return undefined;
  for (const i of DIGITS) if (!isDigit(text, i)) return undefined;
  let micros = 0;
  for (let i = 20; i < 26; i++) {
    if (i < end && !isDigit(text, i)) return undefined;
    micros = micros * 10 + (i < end ? digit(text, i) : 0);
  }
  const year = pair(text, 0) * 100 + pair(text, 2);
  const ms = Date.UTC(year, pair(text, 5) - 1, pair(text, 8), pair(text, 11), pair(text, 14), pair(text, 17));
  return ms * 1000 + micros;
}

const Z = 0x5a;
const T = 0x54;
const ZERO = 0x30;

function digit(text: string, i: number): number {
  return text.charCodeAt(i) - ZERO;
}

function isDigit(text: string, i: number): boolean {
  const unit = text.charCodeAt(i);
  return unit >= ZERO && unit <= ZERO + 9;
}

function pair(text: string, i: number): number {
  return digit(text, i) * 10 + digit(text, i + 1);
}
