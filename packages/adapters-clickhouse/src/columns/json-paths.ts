// A JSON value as the values at all of its paths: what a JSON column holds, so that a query reads the paths it names
// and nothing else. The values are readings made here, once, in the language whose meaning they have.
//
//   number   a Float64                      boolean  a Bool
//   text     "s" and the text; of a text that is a JSON number "q", the 8 bytes of the number in hexadecimal, the text
//   object   "o", array "a": 32 hexadecimal digits that are the same for equal values, then the compact JSON
//
// Missing and null are the same, and not there.

import { createHash } from "node:crypto";
import { canonicalJson } from "@assay/calls/internal";
import { asNumber, type Json } from "@assay/query-lang";
import { compactJson } from "@assay/query-lang/internal";
import { fieldKey } from "./field-key.ts";

/**
 * The limits of what is stored of one value. Paths beyond them are left out, and the value is marked; so are numbers
 * beyond the largest double, which no column holds.
 */
export interface JsonPathLimits {
  /** The number of values, each with its path. */
  readonly nodes: number;
  /** UTF-16 units of all texts. */
  readonly characters: number;
}

/** The values at the paths of a value. */
export interface JsonPaths {
  /** An object as JSON text: readings by the names of their paths. */
  readonly json: string;
  /** Whether all paths are included. */
  readonly whole: boolean;
  /** Whether all texts are valid Unicode; others are stored with the replacement character. */
  readonly wellFormed: boolean;
}

/** The nodes of several values, each below its own path. */
export function jsonPathsOf(
  values: readonly { readonly path: readonly string[]; readonly value: Json }[],
  limits: JsonPathLimits,
): JsonPaths {
  const members: string[] = [];
  let [characters, whole, allWellFormed] = [0, true, true];
  const queue = [...values];
  // Level by level, so that the deepest values are left out. The queue grows while it is read.
  for (const { path, value } of queue) {
    if (value === null) continue;
    if (typeof value === "number" && !Number.isFinite(value)) {
      whole = false;
      continue;
    }
    const reading = readingOf(value);
    if (members.length >= limits.nodes || characters + reading.length > limits.characters) {
      whole = false;
      continue;
    }
    characters += reading.length;
    if (!isWellFormed(reading)) allWellFormed = false;
    members.push(`"${fieldKey(path)}":${typeof value === "string" ? quoted(reading) : reading}`);
    if (typeof value !== "object") continue;
    for (const [key, child] of Object.entries(value)) {
      if (child !== null) queue.push({ path: [...path, key], value: child as Json });
    }
  }
  return { json: `{${members.join(",")}}`, whole, wellFormed: allWellFormed };
}

/** The representation of a value in a JSON column: JSON text, or an unquoted text. */
function readingOf(value: Json): string {
  if (typeof value === "number") return floatText(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") {
    const number = asNumber(value);
    return number === null ? `s${value}` : `q${floatBytes(number)}${value}`;
  }
  return quoted(`${Array.isArray(value) ? "a" : "o"}${equalityHash(value)}${compactJson(value)}`);
}

/** 32 hexadecimal digits that are equal for deeply equal values, and practically only for these. */
export function equalityHash(value: Json): string {
  return createHash("sha256").update(canonicalJson(value, "double")).digest("hex").slice(0, 32);
}

/** `text` as a JSON string, with the replacement character for anything that is not Unicode. */
export function quoted(text: string): string {
  return JSON.stringify(wellFormed(text));
}

/** Whether `text` is valid Unicode, that is, without lone surrogates. */
export function isWellFormed(text: string): boolean {
  return !LONE.test(text);
}

/** `text` with the replacement character for every lone surrogate, so that UTF-8 can hold it. */
function wellFormed(text: string): string {
  return isWellFormed(text) ? text : text.replace(LONE_EACH, "\ufffd");
}

const LONE = /\p{Cs}/u;
const LONE_EACH = /\p{Cs}/gu;

/** A number that JSON readers take as floating-point; 0 for -0, which the language does not distinguish. */
export function floatText(value: number): string {
  const text = value === 0 ? "0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** The bytes of a number as ClickHouse reinterprets them, in hexadecimal. */
export function floatBytes(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value === 0 ? 0 : value);
  return bytes.toString("hex");
}
