// Identity of rows (docs/reference/semantics.md, "Row identity"): a digest of the example's content, or the id in a
// dataset-row reference. Must never depend on key order or on the origin of the row.

import type { Json } from "@assay/base";
import { compareText, type NumberTexts, numberTexts } from "@assay/base/internal";
import { type RunningDigest, sha256, startSha256 } from "../encoding/sha256.ts";

/** What is between the reference of a dataset and the id of one of its rows. */
export const ROW_ID = "/attr/rows/id/";

/**
 * The row id in a dataset-row reference (`<ref of a dataset>/attr/rows/id/<digest>`), or undefined if it is not one.
 */
export function rowIdOf(example: Json): string | undefined {
  if (typeof example !== "string") return undefined;
  const at = example.indexOf(ROW_ID);
  if (at <= 0) return undefined;
  const id = example.slice(at + ROW_ID.length);
  return id === "" || id.includes("/") ? undefined : id;
}

/** Whether an example refers to a dataset row. */
export function isReference(example: Json): example is string {
  return rowIdOf(example) !== undefined;
}

/**
 * The digest of the row in `example` (a trial's `inputs.example`): 43 characters, or the id of a reference. `text` is
 * the notation of an example that is a number, if JavaScript would write it differently.
 */
export function rowDigest(example: Json, text?: string): string {
  if (text !== undefined) return textDigest(pythonNumber(text));
  return rowIdOf(example) ?? textDigest(typeof example === "string" ? example : canonicalJson(example));
}

/** SHA-256 of the UTF-8 bytes in base64url, `-` as `X` and `_` as `Y`, unpadded: 43 characters. */
export function textDigest(text: string): string {
  return withoutMarks(sha256(text));
}

/** The same digest of bytes. */
export function bytesDigest(bytes: Uint8Array): string {
  return withoutMarks(sha256(bytes));
}

/** Writes the same digest of bytes to `to`, in ASCII: chains of digests need no texts. */
export function writeDigest(bytes: Uint8Array, to: Uint8Array): void {
  const digest = sha256(bytes);
  for (let i = 0; i < DIGEST_LENGTH; i++) {
    const unit = digest.charCodeAt(i);
    to[i] = unit === HYPHEN ? LETTER_X : unit === UNDERSCORE ? LETTER_Y : unit;
  }
}

/** The number of characters of a digest. */
export const DIGEST_LENGTH = 43;
const [HYPHEN, UNDERSCORE, LETTER_X, LETTER_Y] = [0x2d, 0x5f, 0x58, 0x59] as const;

/** The same digest, for bytes in pieces. */
export function startBytesDigest(): RunningDigest {
  const { add, end } = startSha256();
  return { add, end: () => withoutMarks(end()) };
}

/** As in Weave's content digests: without the two punctuation marks of base64url. */
function withoutMarks(digest: string): string {
  return digest.replaceAll("-", "X").replaceAll("_", "Y");
}

/** How to treat the numbers of a value: in their logged notation, if known, or as doubles. */
export type Numbers = "logged" | "double";

/**
 * JSON text that is equal for equal values: keys by code point, separators `", "` and `": "`, ASCII only, numbers as
 * Python writes them, so that `1` and `1.0` differ unless numbers are treated as doubles. Equals Python's
 * `json.dumps(value, sort_keys=True)`. Values nest at most `MAX_CALL_DEPTH` deep, which bounds the recursion.
 */
export function canonicalJson(value: Json, numbers: Numbers = "logged"): string {
  if (typeof value === "string") return canonicalText(value);
  if (typeof value === "number") return pythonNumber(JSON.stringify(value));
  if (value === null || typeof value === "boolean") return String(value);
  const items = value as { readonly [key: string | number]: Json };
  const keys = Array.isArray(value) ? undefined : Object.keys(value).sort(compareText);
  const count = Array.isArray(value) ? value.length : keys!.length;
  // Looked up once, and only if there is a number: most lists and objects have none with a special notation.
  let texts: NumberTexts | undefined;
  let isLookedUp = numbers === "double";
  // Appended, since joining a list takes three times as long until the engine has compiled it: thousands of rows.
  let text = keys === undefined ? "[" : "{";
  for (let i = 0; i < count; i++) {
    const key = keys === undefined ? i : keys[i]!;
    const item = items[key]!;
    if (i > 0) text += ", ";
    if (typeof key === "string") text += `${canonicalText(key)}: `;
    if (typeof item === "number") {
      if (!isLookedUp) texts = numberTexts(value);
      isLookedUp = true;
      text += canonicalNumber(item, texts?.get(key));
    } else text += canonicalJson(item, numbers);
  }
  return text + (keys === undefined ? "]" : "}");
}

/** A number, by its logged notation if that is known. */
function canonicalNumber(value: number, text: string | undefined): string {
  // JavaScript and Python write these the same way.
  if (text === undefined && Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return pythonNumber(text ?? JSON.stringify(value));
}

const NOT_PLAIN = /[\u007f-\uffff]/g;
// Texts that need no escapes: nearly every key, and most short texts.
const PLAIN = /^[ !#-[\]-~]{0,64}$/;

function canonicalText(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(
    NOT_PLAIN,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The notation in which Python writes a number that it has read from `text`. */
function pythonNumber(text: string): string {
  // The form of most stored numbers, which Python writes the same way.
  if (/^-?\d{1,15}\.0$/.test(text)) return text;
  if (/^-?\d+$/.test(text)) return text === "-0" ? "0" : text;
  const value = Number(text);
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  const magnitude = Math.abs(value);
  if (magnitude === 0 || (magnitude >= 1e-4 && magnitude < 1e16)) {
    const plain = Object.is(value, -0) ? "-0" : String(value);
    return plain.includes(".") ? plain : `${plain}.0`;
  }
  // Shortest digits that round-trip, with Python's exponent: a sign and at least two digits.
  const [mantissa, exponent] = value.toExponential().split("e") as [string, string];
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}
