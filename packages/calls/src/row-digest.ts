// Identity of rows (docs/reference/semantics.md, "Row identity"): a digest of the example's content, or the id in a
// dataset-row reference. Must never depend on key order or on where the row came from.

import type { Json } from "@assay/base";
import { compareText, type NumberTexts, numberTexts } from "@assay/base/internal";
import { type RunningDigest, sha256, startSha256 } from "./sha256.ts";

const ROW_ID = "/attr/rows/id/";

/** The row id in a dataset-row reference (`<ref of a dataset>/attr/rows/id/<digest>`), or undefined when it is none. */
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
 * The digest of the row that `example` (a trial's `inputs.example`) is: 43 characters, or the id of a reference. `text`
 * says how an example that is a bare number was written, when JavaScript writes it otherwise.
 */
export function rowDigest(example: Json, text?: string): string {
  if (text !== undefined) return textDigest(pythonNumber(text));
  return rowIdOf(example) ?? textDigest(typeof example === "string" ? example : canonicalJson(example));
}

/** SHA-256 of the UTF-8 bytes in base64url, `-` as `X` and `_` as `Y`, unpadded: 43 characters. */
export function textDigest(text: string): string {
  return withoutMarks(sha256(text));
}

/** The same digest of bytes as they are. */
export function bytesDigest(bytes: Uint8Array): string {
  return withoutMarks(sha256(bytes));
}

/** The same digest of bytes that come piece by piece. */
export function startBytesDigest(): RunningDigest {
  const { add, end } = startSha256();
  return { add, end: () => withoutMarks(end()) };
}

/** As Weave's content digests have it: without the two punctuation marks of base64url. */
function withoutMarks(digest: string): string {
  return digest.replaceAll("-", "X").replaceAll("_", "Y");
}

/** How the numbers of a value are taken: as they were logged, where that is known, or as the doubles they are. */
export type Numbers = "logged" | "double";

/**
 * JSON text that is the same for equal values: keys by code point, separators `", "` and `": "`, ASCII only,
 * numbers as Python writes them: `1` and `1.0` are not the same, unless numbers are taken as doubles. It is what
 * Python's `json.dumps(value, sort_keys=True)` gives. Values nest at most `MAX_CALL_DEPTH` deep, which bounds the
 * recursion.
 */
export function canonicalJson(value: Json, numbers: Numbers = "logged"): string {
  if (typeof value === "string") return canonicalText(value);
  if (typeof value === "number") return pythonNumber(JSON.stringify(value));
  if (value === null || typeof value === "boolean") return String(value);
  // Looked up once, and only where there is a number: most lists and objects have none that is written otherwise.
  let texts: NumberTexts | undefined;
  let isLookedUp = numbers === "double";
  const member = (key: string | number, item: Json): string => {
    if (typeof item !== "number") return canonicalJson(item, numbers);
    if (!isLookedUp) texts = numberTexts(value);
    isLookedUp = true;
    const text = texts?.get(key);
    // What JavaScript and Python write alike.
    if (text === undefined && Number.isInteger(item) && Math.abs(item) < 1e15) return String(item);
    return pythonNumber(text ?? JSON.stringify(item));
  };
  if (Array.isArray(value)) return `[${value.map((item, i) => member(i, item)).join(", ")}]`;
  const object = value as { readonly [key: string]: Json };
  const members = Object.keys(object)
    .sort(compareText)
    .map((key) => `${canonicalText(key)}: ${member(key, object[key]!)}`);
  return `{${members.join(", ")}}`;
}

const NOT_PLAIN = /[\u007f-\uffff]/g;
// What nothing has to be escaped in: nearly every key, and most short texts.
const PLAIN = /^[ !#-[\]-~]{0,64}$/;

function canonicalText(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(
    NOT_PLAIN,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What Python writes of a number that it has read from `text`. */
function pythonNumber(text: string): string {
  // What most numbers that are kept look like, and is as Python writes it.
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
