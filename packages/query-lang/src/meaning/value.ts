// Readings of a JSON value as a number, a boolean or text. Each is null if the value cannot be read that way.

import type { Json } from "@assay/base";
import type { Cast } from "../expression/expr.ts";
import { compactJson } from "./compact-json.ts";

/** True, false, or null when unknown. */
export type Truth = boolean | null;

/**
 * How a literal determines the reading of the other side of a comparison; `deep` is equality of objects and arrays.
 */
export type Reading = "number" | "boolean" | "text" | "null" | "deep";

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Numbers unchanged, booleans as 1 or 0, strings that are a JSON number as that number; else null. */
export function asNumber(value: Json): number | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  const number =
    typeof value === "number" || (typeof value === "string" && JSON_NUMBER.test(value))
      ? Number(value)
      : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** Booleans unchanged, the strings `"true"` and `"false"` and the numbers 1 and 0 as booleans; else null. */
export function asBoolean(value: Json): Truth {
  if (value === true || value === "true" || value === 1) return true;
  if (value === false || value === "false" || value === 0) return false;
  return null;
}

/** Strings unchanged, numbers and booleans in JSON form, objects and arrays as compact JSON; null for null. */
export function asText(value: Json): string | null {
  if (typeof value === "string") return value;
  return value === null ? null : compactJson(value);
}

/** The result of `$convert`. `int` truncates toward zero; only `exists` has a non-null result for null. */
export function convert(to: Cast, value: Json): Json {
  switch (to) {
    case "double":
      return asNumber(value);
    case "int": {
      const number = asNumber(value);
      // Adding 0 turns -0 into 0.
      return number === null ? null : Math.trunc(number) + 0;
    }
    case "bool":
      return typeof value === "number" ? value !== 0 : asBoolean(value);
    case "string":
      return asText(value);
    case "exists":
      return value !== null;
  }
}

/** How `literal` determines the reading of the other side. */
export function readingOf(literal: Json): Reading {
  if (literal === null) return "null";
  switch (typeof literal) {
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "string":
      return "text";
    default:
      return "deep";
  }
}
