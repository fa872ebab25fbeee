// JSON as the tools write it, which is not always JSON: Python writes NaN and Infinity, and integers that a double
// cannot hold.

import type { Json } from "@assay/base";
import { endOfString } from "@assay/base/internal";
import { MAX_CALL_DEPTH, nestsDeeper } from "@assay/calls/internal";
import { Unreadable } from "./unreadable.ts";

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

// Calls nest a value a little deeper than it came.
const DEEPEST = MAX_CALL_DEPTH - 8;
const MAYBE_LARGE = /\d{16}/;
const OUTSIDE = /NaN|-?Infinity|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * The value of a JSON text. NaN and infinities read as null, and integers that a double cannot hold as texts of their
 * digits. `where` begins the message when it is none, or nests deeper than a call may.
 */
export function parseJson(text: string, where: string): Json {
  let value: Json;
  try {
    value = JSON.parse(MAYBE_LARGE.test(text) ? repaired(text) : text);
  } catch {
    try {
      value = JSON.parse(repaired(text));
    } catch (error) {
      throw new Unreadable(`${where}: not JSON: ${shortened((error as Error).message)}`);
    }
  }
  if (nestsDeeper(value, DEEPEST)) throw new Unreadable(`${where}: nested deeper than ${DEEPEST} levels`);
  return value;
}

/** The value of a text that may be JSON; the text itself when it is not. */
export function jsonOrText(text: string): Json {
  if (!/^\s*(?:[[{"\d-]|true|false|null)/.test(text)) return text;
  try {
    return parseJson(text, "");
  } catch {
    return text;
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is at a path of keys, or undefined. */
export function at(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  let found = value;
  for (const key of keys) {
    if (!isObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** The text at a path, a number as its digits; undefined when there is none, or an empty one. */
export function textAt(value: Json | undefined, ...keys: readonly string[]): string | undefined {
  const found = at(value, ...keys);
  if (typeof found === "number") return String(found);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** The number at a path; undefined when there is none. */
export function numberAt(value: Json | undefined, ...keys: readonly string[]): number | undefined {
  const found = at(value, ...keys);
  return typeof found === "number" ? found : undefined;
}

/** The list at a path, empty when there is none. */
export function listAt(value: Json | undefined, ...keys: readonly string[]): readonly Json[] {
  const found = at(value, ...keys);
  return Array.isArray(found) ? found : [];
}

/** An object without the members that are undefined. */
export function present(members: { readonly [key: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}

function repaired(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const start = quote === -1 ? text.length : quote;
    parts.push(text.slice(at, start).replace(OUTSIDE, replacement));
    at = endOfString(text, start);
    parts.push(text.slice(start, at));
  }
  return parts.join("");
}

function replacement(token: string): string {
  if (token.endsWith("N") || token.endsWith("y")) return "null";
  return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
}

function shortened(message: string): string {
  return message.length > 120 ? `${message.slice(0, 120)}…` : message;
}
