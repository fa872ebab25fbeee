// Copies values of a program as JSON, so that later changes to them do not affect loaded evaluations.

import type { Json } from "@assay/base";
import { setMember } from "@assay/base/internal";
import { MAX_CALL_DEPTH } from "@assay/calls/internal";

/** Nesting starts two levels down in a call. */
const DEEPEST = MAX_CALL_DEPTH - 2;

/** Objects of these kinds would be empty in JSON. */
const NOT_JSON: ReadonlyMap<string, string> = new Map([
  ["[object Map]", "a Map; pass an object"],
  ["[object Set]", "a Set; pass a list"],
  ["[object Error]", "an Error; pass its message"],
  ["[object Promise]", "a Promise; await it first"],
]);

/**
 * A copy of a value, as `JSON.stringify` would write it; `undefined` is null. A BigInt, in which databases return their
 * integers, becomes a number. `level` is the value's depth in the logged call. Throws a TypeError that begins with
 * `where` for a BigInt that is too large, a function, a Map, a Set, an Error, a Promise, and values that nest too deep.
 */
export function jsonCopy(value: unknown, where: () => string, level = 0): Json {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return numberCopy(value);
  if (value === undefined || value === null) return null;
  if (typeof value === "bigint") {
    if (Number.isSafeInteger(Number(value))) return Number(value);
    throw new TypeError(`${where()} is ${value}, too large for a number; pass it as text`);
  }
  if (typeof value !== "object") throw new TypeError(`${where()} is a ${typeof value}, which is not JSON`);
  if (level > DEEPEST)
    throw new TypeError(`${where().slice(0, 100)}… nests deeper than ${DEEPEST} levels, or contains itself`);
  if (Array.isArray(value)) return Array.from(value, (item) => jsonCopy(item, where, level + 1));
  return objectCopy(value, where, level);
}

/** A number that JSON can represent: 0 for -0, and null if it is not finite. */
export function numberCopy(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return value === 0 ? 0 : value;
}

/** The text of an error, which programs hold as a text, an `Error` or an object; empty if there is none. */
export function errorText(error: unknown, where: () => string): string {
  // In tables, false, 0, {} and [] also mean that there was no error.
  if (!error) return "";
  if (!Array.isArray(error) && kindOf(error) !== "[object Object]") return String(error);
  const text = JSON.stringify(jsonCopy(error, where));
  return text === "{}" || text === "[]" ? "" : text;
}

function objectCopy(value: object, where: () => string, level: number): Json {
  if ("toJSON" in value && typeof value.toJSON === "function")
    return jsonCopy(value.toJSON(), where, level + 1);
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return value.valueOf();
  const kind = NOT_JSON.get(kindOf(value));
  if (kind !== undefined) throw new TypeError(`${where()} is ${kind}`);
  const copy: { [name: string]: Json } = {};
  for (const [name, member] of Object.entries(value))
    if (member !== undefined && typeof member !== "function" && typeof member !== "symbol")
      setMember(
        copy,
        name,
        jsonCopy(member, () => `${where()}.${name}`, level + 1),
      );
  return copy;
}

/** The kind of an object, also of one from another realm. */
function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}
