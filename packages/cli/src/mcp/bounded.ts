// Cuts a value down to what a model can read: long texts and lists end with how much is left out, and how to get it.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";

/** How much of a value is left. */
export interface Bounds {
  /** Characters of one text. */
  readonly text: number;
  /** Elements of one list, and fields of one object. */
  readonly items: number;
  /** Says how to get the rest of what is at a JSON pointer (RFC 6901). */
  readonly rest: (pointer: string, from: number) => string;
}

/** The value with every text and list in it cut to its bounds. `at` is the JSON pointer of the value. */
export function bounded(value: Json, bounds: Bounds, at = ""): Json {
  const { text, items, rest } = bounds;
  if (typeof value === "string") {
    const end = wholeCharacters(value, text);
    if (end >= value.length) return value;
    return `${value.slice(0, end)}… (${count(value.length - end)} more characters${rest(at, end)})`;
  }
  if (Array.isArray(value)) {
    const kept = value.slice(0, items).map((item, i) => bounded(item, bounds, `${at}/${i}`));
    const more = value.length - kept.length;
    return more > 0 ? [...kept, `(${count(more)} more elements${rest(at, items)})`] : kept;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  const kept = entries
    .slice(0, items)
    .map(([name, of]) => [name, bounded(of!, bounds, `${at}/${escaped(name)}`)] as const);
  const more = entries.length - kept.length;
  return Object.fromEntries(
    more > 0 ? [...kept, ["…", `(${count(more)} more fields${rest(at, items)})`]] : kept,
  );
}

/** What a JSON pointer leads to in a value, from a character or an element on; undefined where there is nothing. */
export function partAt(value: Json, pointer: string, from: number): Json | undefined {
  let found: Json | undefined = value;
  for (const word of pointer.split("/").slice(1)) {
    const name = word.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as { readonly [name: string]: Json })[name];
  }
  if (typeof found === "string" || Array.isArray(found)) return found.slice(from);
  return isJsonObject(found) ? Object.fromEntries(Object.entries(found).slice(from)) : found;
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The length of at most `length` units of UTF-16 that does not cut a character in two. */
function wholeCharacters(text: string, length: number): number {
  const last = text.charCodeAt(length - 1);
  return last >= 0xd800 && last < 0xdc00 ? length - 1 : length;
}

function count(value: number): string {
  return value.toLocaleString("en");
}
