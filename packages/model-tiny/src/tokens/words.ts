// The words of a context as rows of a table: each word and each pair of neighbours is hashed to a row (feature hashing,
// Weinberger et al., 2009). Through them, the model sees words that are too far back for the window.
import { ASSISTANT, PAD } from "./vocabulary.ts";

/** The rows of the table that a context adds up, and their weights. */
interface WordRows {
  /** The rows, each as often as its words occur. */
  readonly rows: readonly number[];
  /**
   * The weight of each of `rows`: the rows of a part of the context are divided by the square root of their number.
   */
  readonly shares: readonly number[];
}

/** The parts of a context: the model's current turn, the turn before, and everything earlier. */
const [NOW, ASKED, EARLIER] = [1, 2, 3];

/** Finds the rows of contexts. It caches the last answer: from one token to the next they seldom change. */
export interface WordReader {
  /** The rows of `tokens` before `end`, out of `count`. A word counts once it is complete. */
  read(tokens: Uint16Array, end: number, count: number): WordRows;
}

/** A reader with an empty cache. */
export function wordReader(): WordReader {
  let last: { readonly tokens: Uint16Array; readonly turn: number; readonly end: number } | undefined;
  let found: WordRows = { rows: [], shares: [] };
  return {
    read(tokens, end, count) {
      const turn = turnBefore(tokens, end);
      let complete = end;
      while (complete > turn + 1 && isWordByte(tokens[complete - 1]!)) complete--;
      if (last?.tokens === tokens && last.turn === turn && last.end === complete) return found;
      last = { tokens, turn, end: complete };
      found = rowsOf(tokens, turn, complete, count);
      return found;
    },
  };
}

function rowsOf(tokens: Uint16Array, turn: number, end: number, count: number): WordRows {
  const asked = turnBefore(tokens, Math.max(turn, 0));
  const parts = [
    hashed(tokens, turn, end, NOW, count),
    hashed(tokens, asked, turn, ASKED, count),
    hashed(tokens, 0, asked, EARLIER, count),
  ];
  return {
    rows: parts.flat(),
    shares: parts.flatMap((rows) => rows.map(() => 1 / Math.sqrt(rows.length))),
  };
}

/** Where the turn that contains the token before `end` starts; -1 if there is no mark before it. */
function turnBefore(tokens: Uint16Array, end: number): number {
  let at = end - 1;
  while (at >= 0 && tokens[at]! <= PAD) at--;
  return at;
}

/** The rows of the words, and of pairs of neighbours, from `start` to `end`. */
function hashed(tokens: Uint16Array, start: number, end: number, part: number, count: number): number[] {
  const rows: number[] = [];
  let before = 0;
  for (let i = Math.max(start, 0); i < end; i++) {
    const token = tokens[i]!;
    if (!isWordByte(token) && !isSign(token)) continue;
    let word = part;
    if (isSign(token)) word = mixed(word, token);
    else {
      for (; i < end && isWordByte(tokens[i]!); i++) word = mixed(word, lowerCase(tokens[i]!));
      i--;
    }
    rows.push(rowOf(word, count), rowOf(mixed(word, before), count));
    before = word;
  }
  return rows;
}

/** One step of FNV-1a. */
function mixed(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193);
}

function rowOf(hash: number, count: number): number {
  const spread = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((spread ^ (spread >>> 13)) >>> 0) % count;
}

/** Letters, digits, and anything that is not ASCII. */
function isWordByte(token: number): boolean {
  if (token >= 0x80) return token < 0x100;
  const lower = lowerCase(token);
  return (lower >= 0x61 && lower <= 0x7a) || (token >= 0x30 && token <= 0x39);
}

/** Signs of arithmetic and marks of turns carry meaning by themselves; punctuation does not. */
function isSign(token: number): boolean {
  return token > PAD ? token !== ASSISTANT : SIGNS.has(token);
}

const SIGNS: ReadonlySet<number> = new Set([...'+-*/=<>%#{}[]_"'].map((sign) => sign.charCodeAt(0)));

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}
