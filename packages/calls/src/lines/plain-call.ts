// Reads the call in a line without creating values that no index needs: nearly all of a line is payload, which is kept
// as the line itself. Accepts only plain notation, fully checked as JSON; every other line, valid or not, is parsed.

import { MAX_CALL_DEPTH } from "../call/call.ts";

/** The fields of a call that are kept with its text. */
export type CallField =
  | "id"
  | "trace_id"
  | "parent_id"
  | "op_name"
  | "display_name"
  | "started_at"
  | "ended_at"
  | "deleted_at";

/** In this order. */
const FIELDS: readonly CallField[] = [
  "id",
  "trace_id",
  "parent_id",
  "op_name",
  "display_name",
  "started_at",
  "ended_at",
  "deleted_at",
];

/** The start and end of each field's text, in turn; both 0 for null. */
export const SPANS: number = FIELDS.length * 2;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [MINUS, PLUS, DOT, ZERO, NINE] = [0x2d, 0x2b, 0x2e, 0x30, 0x39];
const NEWLINE = 0x0a;

/** Not in plain notation. */
const NONE = -1;

/**
 * Whether the line that begins at `from` is a call in plain notation: ids, names and times in ASCII without escapes. If
 * so, the spans of its fields are written to `spans` from `at`; otherwise what was written is meaningless. The line
 * must end with a line break, and the bytes must be UTF-8.
 */
export function readPlainCall(bytes: Uint8Array, from: number, spans: Uint32Array, at: number): boolean {
  spans.fill(0, at, at + SPANS);
  let i = afterSpace(bytes, from);
  if (bytes[i] !== OPEN_OBJECT) return false;
  do {
    const key = afterSpace(bytes, i + 1);
    const keyEnd = plainTextEnd(bytes, key);
    if (keyEnd === NONE) return false;
    i = afterSpace(bytes, keyEnd);
    if (bytes[i] !== COLON) return false;
    const value = afterSpace(bytes, i + 1);
    const name = nameAt(bytes, key + 1, keyEnd - 1);
    i = name === undefined ? valueEnd(bytes, value, MAX_CALL_DEPTH - 1) : textOrNullEnd(bytes, value);
    if (i === NONE) return false;
    if (name !== undefined && name < FIELDS.length) {
      const isText = bytes[value] === QUOTE;
      spans[at + 2 * name] = isText ? value + 1 : 0;
      spans[at + 2 * name + 1] = isText ? i - 1 : 0;
    }
    i = afterSpace(bytes, i);
  } while (bytes[i] === COMMA);
  // An id is neither null nor empty.
  return (
    bytes[i] === CLOSE_OBJECT && bytes[afterSpace(bytes, i + 1)] === NEWLINE && spans[at]! < spans[at + 1]!
  );
}

/** The members of a call that must be a text or null: its fields, and the exception, which is not kept. */
const NAMES: readonly Uint8Array[] = [...FIELDS, "exception"].map((name) =>
  Uint8Array.from(name, (character) => character.charCodeAt(0)),
);
const LONGEST_NAME = Math.max(...NAMES.map(({ length }) => length));
const BY_LENGTH: readonly (readonly number[])[] = Array.from({ length: LONGEST_NAME + 1 }, (_, length) =>
  [...NAMES.keys()].filter((name) => NAMES[name]!.length === length),
);

/** The index in `NAMES` of the name at this place. */
function nameAt(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (to - from > LONGEST_NAME) return undefined;
  for (const name of BY_LENGTH[to - from]!) if (isAt(bytes, from, NAMES[name]!)) return name;
  return undefined;
}

function isAt(bytes: Uint8Array, from: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[from + i] !== word[i]) return false;
  return true;
}

function textOrNullEnd(bytes: Uint8Array, at: number): number {
  return bytes[at] === QUOTE ? plainTextEnd(bytes, at) : wordEnd(bytes, at, NULL);
}

// The functions below return the end of something that begins at `at`, or `NONE`. Each of them stops at a line break,
// which ends the line and cannot be part of a value. `depth` is how many lists and objects may enclose the innermost
// value.

function valueEnd(bytes: Uint8Array, at: number, depth: number): number {
  switch (bytes[at]) {
    case QUOTE:
      return textEnd(bytes, at);
    case OPEN_OBJECT:
      return depth === 0 ? NONE : objectEnd(bytes, at, depth - 1);
    case OPEN_LIST:
      return depth === 0 ? NONE : listEnd(bytes, at, depth - 1);
    case TRUE[0]:
      return wordEnd(bytes, at, TRUE);
    case FALSE[0]:
      return wordEnd(bytes, at, FALSE);
    case NULL[0]:
      return wordEnd(bytes, at, NULL);
    default:
      return numberEnd(bytes, at);
  }
}

function objectEnd(bytes: Uint8Array, at: number, depth: number): number {
  let i = afterSpace(bytes, at + 1);
  if (bytes[i] === CLOSE_OBJECT) return i + 1;
  for (;;) {
    if (bytes[i] !== QUOTE) return NONE;
    i = textEnd(bytes, i);
    if (i === NONE) return NONE;
    i = afterSpace(bytes, i);
    if (bytes[i] !== COLON) return NONE;
    i = valueEnd(bytes, afterSpace(bytes, i + 1), depth);
    if (i === NONE) return NONE;
    i = afterSpace(bytes, i);
    if (bytes[i] === CLOSE_OBJECT) return i + 1;
    if (bytes[i] !== COMMA) return NONE;
    i = afterSpace(bytes, i + 1);
  }
}

function listEnd(bytes: Uint8Array, at: number, depth: number): number {
  let i = afterSpace(bytes, at + 1);
  if (bytes[i] === CLOSE_LIST) return i + 1;
  for (;;) {
    i = valueEnd(bytes, i, depth);
    if (i === NONE) return NONE;
    i = afterSpace(bytes, i);
    if (bytes[i] === CLOSE_LIST) return i + 1;
    if (bytes[i] !== COMMA) return NONE;
    i = afterSpace(bytes, i + 1);
  }
}

// The class of each byte in a text. Bytes above 0x7f are valid, since the bytes are UTF-8.
const [CONTROL, ASCII, ABOVE] = [0, 1, 2];
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH) return CONTROL;
  return byte < 0x80 ? ASCII : ABOVE;
});

function plainTextEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return NONE;
  let i = at + 1;
  while (KINDS[bytes[i]!] === ASCII) i++;
  return bytes[i] === QUOTE ? i + 1 : NONE;
}

function textEnd(bytes: Uint8Array, at: number): number {
  for (let i = at + 1; ; ) {
    while (KINDS[bytes[i]!] !== CONTROL) i++;
    if (bytes[i] === QUOTE) return i + 1;
    if (bytes[i] !== BACKSLASH) return NONE;
    i = escapeEnd(bytes, i);
    if (i === NONE) return NONE;
  }
}

const SHORT_ESCAPES = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));
const UNIT = 0x75;

function escapeEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== UNIT) return SHORT_ESCAPES.has(bytes[at + 1]!) ? at + 2 : NONE;
  for (let i = at + 2; i < at + 6; i++) if (!isHex(bytes[i]!)) return NONE;
  return at + 6;
}

function isHex(byte: number): boolean {
  // Bit 5 distinguishes lower case from upper case.
  const small = byte | 0x20;
  return (byte >= ZERO && byte <= NINE) || (small >= 0x61 && small <= 0x66);
}

function numberEnd(bytes: Uint8Array, at: number): number {
  const whole = bytes[at] === MINUS ? at + 1 : at;
  let i = bytes[whole] === ZERO ? whole + 1 : digitsEnd(bytes, whole);
  if (i !== NONE && bytes[i] === DOT) i = digitsEnd(bytes, i + 1);
  if (i === NONE || (bytes[i]! | 0x20) !== 0x65) return i;
  const sign = bytes[i + 1];
  return digitsEnd(bytes, sign === MINUS || sign === PLUS ? i + 2 : i + 1);
}

function digitsEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  while (bytes[i]! >= ZERO && bytes[i]! <= NINE) i++;
  return i === at ? NONE : i;
}

const [TRUE, FALSE, NULL] = ["true", "false", "null"].map((word) =>
  Uint8Array.from(word, (character) => character.charCodeAt(0)),
) as [Uint8Array, Uint8Array, Uint8Array];

function wordEnd(bytes: Uint8Array, at: number, word: Uint8Array): number {
  return isAt(bytes, at, word) ? at + word.length : NONE;
}

function afterSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  while (bytes[i] === 0x20 || bytes[i] === 0x09 || bytes[i] === 0x0d) i++;
  return i;
}
