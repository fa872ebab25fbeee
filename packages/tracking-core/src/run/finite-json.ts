// Reads JSON as Python and Go write it: with bare NaN and Infinity, which JSON parsers reject.

import type { Json, JsonObject } from "@assay/base";
import { isJsonObject, textHasMoreValues, textNestsDeeper } from "@assay/base/internal";

/** What a text with an object must be, for messages. */
export const OBJECT_TEXT = "a JSON object of at most 200 levels and 400,000 values";
/** The levels of lists and objects: deeper values would exhaust the stack of what reads them. */
const DEEPEST = 200;
/** The values of any kind: more would block other work while they are read. */
const MOST_VALUES = 400_000;

/** What begins or ends a string, an escaped character, and numbers that JSON cannot express. */
const TOKEN = /"|\\[\s\S]|NaN|-?Infinity/g;

/**
 * The text with `NaN`, `Infinity` and `-Infinity` as strings, which readers of runs convert back to numbers; undefined
 * if the result is still not JSON.
 */
function finiteJson(text: string): { readonly text: string; readonly value: unknown } | undefined {
  return parsed(text) ?? parsed(withQuotedNumbers(text));
}

function withQuotedNumbers(text: string): string {
  let isString = false;
  return text.replace(TOKEN, (token) => {
    if (token === '"') isString = !isString;
    return isString || token === '"' || token.startsWith("\\") ? token : `"${token}"`;
  });
}

function parsed(text: string): { readonly text: string; readonly value: unknown } | undefined {
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The same for texts that must contain an object, within these limits. */
export function finiteObject(
  text: string,
): { readonly text: string; readonly value: { readonly [name: string]: unknown } } | undefined {
  if (textHasMoreValues(text, MOST_VALUES)) return undefined;
  const read = finiteJson(text);
  if (read === undefined || textNestsDeeper(read.text, DEEPEST)) return undefined;
  return isJsonObject(read.value) ? { text: read.text, value: read.value } : undefined;
}

/** Replaces values that nest too deeply, which older versions stored. */
const TOO_DEEP = "nested too deeply to be shown";

/** The object in a stored text, without what nests too deeply. */
export function storedObject(text: string): JsonObject {
  const value = JSON.parse(text) as JsonObject;
  return textNestsDeeper(text, DEEPEST) ? (withoutDepth(value, DEEPEST) as JsonObject) : value;
}

/** The same as text. */
export function storedText(text: string): string {
  return textNestsDeeper(text, DEEPEST) ? JSON.stringify(storedObject(text)) : text;
}

function withoutDepth(value: Json, levels: number): Json {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((one: Json) => withoutDepth(one, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withoutDepth(one, levels - 1)]),
  );
}
