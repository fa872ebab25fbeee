// ISO 8601 times as numbers. The SDKs write microseconds, which JavaScript's Date drops.

const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|z|[+-]\d\d:?\d\d)?$/;

/**
 * Microseconds since 1970 of an ISO 8601 time, or NaN if it is invalid or does not exist: a month of 13, the 30th of
 * February, an hour of 24, a minute of 60, an offset of a day. A leap second, `:60`, is the first second of the next
 * minute, as in Unix time. A time without an offset is UTC. Microseconds of any year to 2255 are exact in a double.
 */
export function microseconds(text: string | null): number {
  if (text === null) return Number.NaN;
  const plain = plainMicroseconds(text);
  if (plain !== undefined) return plain;
  const match = ISO.exec(text);
  if (match === null) return Number.NaN;
  const [, year, month, day, hour, minute, second = "0", fraction = "", zone = "Z"] = match;
  const seconds = secondsOfDay(+hour!, +minute!, +second);
  const ms = startOfDay(+year!, +month!, +day!) + (seconds - offsetSeconds(zone)) * 1000;
  const micros = fraction === "" ? 0 : +fraction.padEnd(6, "0").slice(0, 6);
  return ms * 1000 + micros;
}

function offsetSeconds(zone: string): number {
  if (zone === "Z" || zone === "z") return 0;
  const seconds = secondsOfDay(+zone.slice(1, 3), +zone.slice(-2), 0);
  return zone.startsWith("-") ? -seconds : seconds;
}

/** Seconds since midnight; NaN for an impossible time. */
function secondsOfDay(hour: number, minute: number, second: number): number {
  return hour > 23 || minute > 59 || second > 60 ? Number.NaN : hour * 3600 + minute * 60 + second;
}

/** Milliseconds since 1970; NaN for a day that its month does not have. */
function startOfDay(year: number, month: number, day: number): number {
  const start = Date.UTC(year, month - 1, day);
  // Date carries over days beyond the end of a month or year.
  const date = new Date(start);
  return date.getUTCDate() === day && date.getUTCMonth() === month - 1 ? start : Number.NaN;
}

// Every call has two times, nearly all of them in this form: YYYY-MM-DDTHH:MM:SS, an optional fraction, and Z. Most are
// on the same day as the previous one.
let lastDay = -1;
let lastDayStart = 0;

/** The same for a time in plain UTC notation; undefined for any other notation. */
function plainMicroseconds(text: string): number | undefined {
  const end = text.length - 1;
  if (end < 19 || end > 26 || end === 20 || text.charCodeAt(end) !== Z || text.charCodeAt(10) !== T)
    return undefined;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return undefined;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return undefined;
  if (end > 19 && text.charCodeAt(19) !== DOT) return undefined;
  const [century, ofCentury, month, day] = [pair(text, 0), pair(text, 2), pair(text, 5), pair(text, 8)];
  const [hour, minute, second] = [pair(text, 11), pair(text, 14), pair(text, 17)];
  // Negative if any of them is not a digit.
  let sign = century | ofCentury | month | day | hour | minute | second;
  let micros = 0;
  for (let i = 20; i < 26; i++) {
    const next = i < end ? digit(text, i) : 0;
    sign |= next;
    micros = micros * 10 + next;
  }
  if (sign < 0) return undefined;
  const year = century * 100 + ofCentury;
  const seconds = secondsOfDay(hour, minute, second);
  const date = (year * 100 + month) * 100 + day;
  if (date !== lastDay) {
    lastDayStart = startOfDay(year, month, day);
    lastDay = date;
  }
  return (lastDayStart + seconds * 1000) * 1000 + micros;
}

const Z = 0x5a;
const T = 0x54;
const ZERO = 0x30;
const DASH = 0x2d;
const COLON = 0x3a;
const DOT = 0x2e;

// Stays negative when combined with any digit.
const NO_DIGIT = -1000;

function digit(text: string, i: number): number {
  const value = text.charCodeAt(i) - ZERO;
  return value >= 0 && value <= 9 ? value : NO_DIGIT;
}

function pair(text: string, i: number): number {
  return digit(text, i) * 10 + digit(text, i + 1);
}
