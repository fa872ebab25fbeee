// Reads JSON as tools write it, which is not always valid: Python writes NaN and Infinity, and integers that a double
// cannot hold.

import type { Json } from "@assay/base";
import {
  endOfString,
  keepNumberText,
  numberText,
  parseJson as parseLogged,
  setMember,
} from "@assay/base/internal";
import { MAX_CALL_DEPTH, nestsDeeper } from "@assay/calls/internal";
import { Unreadable } from "../files/errors.ts";
import { pythonToJson } from "./python-literal.ts";

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** How deep a file may nest its values: calls nest them slightly deeper. */
export const DEEPEST: number = MAX_CALL_DEPTH - 8;
const MAYBE_LARGE = /\d{16}/;
const INTEGER = /^-?\d+$/;
const OUTSIDE = /NaN|-?Infinity|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * How to read integers that a double cannot hold: as texts of their digits, or as numbers that remember their digits,
 * for callers that never move one to another object.
 */
export type LargeIntegers = "texts" | "numbers";

/**
 * Parses JSON; numbers remember their notation. NaN and infinities become null. The message of an error, for invalid
 * JSON or values nested deeper than a call allows, begins with `where`.
 */
export function parseJson(text: string, where: string, large: LargeIntegers = "texts"): Json {
  let value: Json;
  try {
    value = parseLogged(large === "texts" && MAYBE_LARGE.test(text) ? repaired(text, large) : text);
  } catch {
    try {
      value = parseLogged(repaired(text, large));
    } catch (error) {
      throw new Unreadable(`${where}: not JSON: ${shortened((error as Error).message)}${jsonHint(text)}`);
    }
  }
  if (nestsDeeper(value, DEEPEST)) throw new Unreadable(`${where}: nested deeper than ${DEEPEST} levels`);
  return value;
}

/** The value of a text that may be JSON, or an object or list printed by Python; otherwise the text itself. */
export function jsonOrText(text: string): Json {
  if (!/^\s*(?:[[{"\d-]|true|false|null)/.test(text)) return text;
  const readings = /^\s*[[{]/.test(text) ? [(own: string) => own, pythonToJson] : [(own: string) => own];
  for (const reading of readings) {
    try {
      return parseJson(reading(text), "");
    } catch {
      // Try the next reading.
    }
  }
  return text;
}

/** Whether a value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of keys, or undefined; an integer that a double cannot hold as its digits. */
export function at(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  let [found, holder] = [value, value];
  for (const key of keys) {
    if (!isObject(found) || !Object.hasOwn(found, key)) return undefined;
    holder = found;
    found = found[key];
  }
  if (typeof found !== "number" || Math.abs(found) <= Number.MAX_SAFE_INTEGER) return found;
  const text = keys.length === 0 ? undefined : numberText(holder!, keys.at(-1)!);
  return text !== undefined && INTEGER.test(text) ? text : found;
}

/** A member of a record; its notation follows it through `moveNumber`. */
export function memberOf(record: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** If `to`'s member `toName` is the number `name` of `from`, keeps the notation of the original. */
export function moveNumber(from: JsonObject, name: string, to: object, toName: string): void {
  const value = (to as JsonObject)[toName];
  if (typeof value === "number" && value === memberOf(from, name)) keepNumberText(from, name, to, toName);
}

/** A member of an object to make: its name, and the container and key of its value. */
export type Origin = readonly [name: string, from: JsonObject | readonly Json[], key: string];

/** An object of members of others, in their notation. The last of several with one name counts. */
export function objectOf(origins: readonly Origin[]): JsonObject {
  const object: { [name: string]: Json } = {};
  for (const [name, from, key] of new Map(origins.map((origin) => [origin[0], origin])).values()) {
    setMember(object, name, (from as JsonObject)[key]!);
    keepNumberText(from, key, object, name);
  }
  return object;
}

/** All members of an object, for `objectOf`. */
export function originsIn(object: JsonObject): readonly Origin[] {
  return Object.keys(object).map((name) => [name, object, name]);
}

/** The text at a path, with numbers as their digits; undefined if missing or empty. */
export function textAt(value: Json | undefined, ...keys: readonly string[]): string | undefined {
  const found = at(value, ...keys);
  if (typeof found === "number") return String(found);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** The number at a path; undefined if there is none, or one that a double cannot hold. */
export function numberAt(value: Json | undefined, ...keys: readonly string[]): number | undefined {
  const found = at(value, ...keys);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** The list at a path; empty if there is none. */
export function listAt(value: Json | undefined, ...keys: readonly string[]): readonly Json[] {
  const found = at(value, ...keys);
  return Array.isArray(found) ? found : [];
}

/** The texts in the list at a path, with numbers as their digits; other values are left out. */
export function textsAt(value: Json | undefined, ...keys: readonly string[]): readonly string[] {
  return listAt(value, ...keys).flatMap((item) => textAt(item) ?? []);
}

/** The members of the object at a path; none if there is none. */
export function membersAt(
  value: Json | undefined,
  ...keys: readonly string[]
): readonly (readonly [name: string, value: Json])[] {
  const found = at(value, ...keys);
  return isObject(found) ? Object.entries(found) : [];
}

/** The object without undefined members. */
export function present(members: { readonly [key: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}

function repaired(text: string, large: LargeIntegers): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const start = quote === -1 ? text.length : quote;
    parts.push(text.slice(at, start).replace(OUTSIDE, (token) => replacement(token, large)));
    at = endOfString(text, start);
    parts.push(text.slice(start, at));
  }
  return parts.join("");
}

function replacement(token: string, large: LargeIntegers): string {
  if (token.endsWith("N") || token.endsWith("y")) return "null";
  const isLarge = large === "texts" && INTEGER.test(token) && !Number.isSafeInteger(Number(token));
  return isLarge ? `"${token}"` : token;
}

/** A hint for common texts that are not JSON; empty if there is none. */
export function jsonHint(text: string): string {
  if (/^\s*(?:\[\s*)?\{\s*'/.test(text))
    return "; it looks like a printed Python object: write it with json.dumps";
  return /[}\]]\s*\{/.test(text)
    ? "; for documents one after another, write each on a line: jq -c . FILE"
    : "";
}

function shortened(message: string): string {
  return message.length > 120 ? `${message.slice(0, 120)}…` : message;
}
