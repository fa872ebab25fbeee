// Grammars of JSON numbers between two bounds.
import { byteBetween, choice, type Grammar, literal, repeat, sequence } from "./grammar.ts";

const ZERO = 0x30;
const digit: Grammar = byteBetween(ZERO, 0x39);
/** Numbers with at most this many digits survive a round trip through doubles. */
const LARGEST = 999_999_999_999_999;

/** The whole numbers from `least` to `most`, without an exponent; at most 15 digits. */
export function integerBetween(least: number, most: number): Grammar {
  const [from, to] = [Math.max(Math.ceil(least), -LARGEST), Math.min(Math.floor(most), LARGEST)];
  if (!(from <= to)) return choice();
  return choice(
    ...(to >= 0 ? [naturals(Math.max(from, 0), to)] : []),
    ...(from < 0 ? [minus(from, to)] : []),
  );
}

/** The negative numbers from `from` to `to`. */
function minus(from: number, to: number): Grammar {
  return sequence(literal("-"), naturals(Math.max(1, -to), -from));
}

/**
 * The numbers from `least` to `most`, whole or with up to 15 digits in total; with a fraction only if the whole step
 * lies between the bounds.
 */
export function numberBetween(least: number, most: number): Grammar {
  const fraction = sequence(literal("."), repeat(digit, 1, 4));
  const up = whole(Math.max(0, Math.ceil(least)), Math.floor(most) - 1);
  const down = whole(Math.max(0, Math.ceil(-most)), Math.floor(-least) - 1);
  return choice(
    integerBetween(least, most),
    ...(up === undefined ? [] : [sequence(up, fraction)]),
    ...(down === undefined ? [] : [sequence(literal("-"), down, fraction)]),
  );
}

/** Whole numbers that leave digits for a fraction. */
function whole(from: number, to: number): Grammar | undefined {
  const end = Math.min(to, 99_999_999_999);
  return from <= end ? naturals(from, end) : undefined;
}

/** The whole numbers from `from` (at least 0) to `to`, without leading zeros. */
function naturals(from: number, to: number): Grammar {
  const options: Grammar[] = [];
  for (let length = String(from).length; length <= String(to).length; length++) {
    const low = length === String(from).length ? String(from) : `1${"0".repeat(length - 1)}`;
    const high = length === String(to).length ? String(to) : "9".repeat(length);
    options.push(sameLength(low, high));
  }
  return choice(...options);
}

/** The digit strings from `low` to `high`, which have equal lengths. */
function sameLength(low: string, high: string): Grammar {
  if (low.length === 0) return sequence();
  if (/^[01]0*$/.test(low) && /^9*$/.test(high) && low.length > 1)
    return sequence(byteBetween(low.charCodeAt(0), 0x39), repeat(digit, low.length - 1, low.length - 1));
  const [first, last] = [low.charCodeAt(0), high.charCodeAt(0)];
  const rest = low.length - 1;
  if (first === last) return sequence(byteBetween(first, first), sameLength(low.slice(1), high.slice(1)));
  const between =
    last - first > 1 ? [sequence(byteBetween(first + 1, last - 1), repeat(digit, rest, rest))] : [];
  return choice(
    sequence(byteBetween(first, first), sameLength(low.slice(1), "9".repeat(rest))),
    ...between,
    sequence(byteBetween(last, last), sameLength("0".repeat(rest), high.slice(1))),
  );
}
