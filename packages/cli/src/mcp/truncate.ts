// Truncates a value to a size that a model can read: long texts, names and lists end with how much is missing, and how
// to get it.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";

/** The most characters of a tool's answer, for any data. */
export const MOST_CHARACTERS = 24_000;

/** How much of a value is shown. */
export interface TruncateLimits {
  /** Characters of one text, and of one name of a field. */
  readonly text: number;
  /** Elements of one list, and fields of one object. */
  readonly items: number;
  /** Levels of nested lists and objects. */
  readonly depth: number;
  /** Explains how to get the rest of the value at a JSON pointer (RFC 6901). */
  readonly rest: (pointer: string, from: number) => string;
}

/** The limits to try until a value fits: with the last ones, any value has less than half of `MOST_CHARACTERS`. */
const LIMITS: readonly Omit<TruncateLimits, "rest">[] = [
  { text: 12_000, items: 200, depth: 20 },
  { text: 4000, items: 100, depth: 20 },
  { text: 1000, items: 40, depth: 12 },
  { text: 200, items: 20, depth: 8 },
  { text: 60, items: 8, depth: 6 },
  { text: 20, items: 4, depth: 4 },
  { text: 20, items: 4, depth: 2 },
];

/** The value as JSON with at most `most` characters. `text` is the length of its longest texts. */
export function truncateToFit(
  value: Json,
  {
    most,
    text,
    rest,
    at = "",
  }: Pick<TruncateLimits, "text" | "rest"> & { readonly most: number; readonly at?: string },
): string {
  const candidates = LIMITS.filter((limits) => limits.text <= text);
  for (const limits of candidates) {
    const json = JSON.stringify(truncate(value, { ...limits, rest }, at));
    if (json.length <= most || limits === candidates.at(-1)) return json;
  }
  return "null";
}

/** The value with every text and list truncated to its limits. `at` is the JSON pointer of the value. */
export function truncate(value: Json, limits: TruncateLimits, at = ""): Json {
  const { items, depth } = limits;
  const rest = (from: number): string => restAt(limits, at, from);
  if (typeof value === "string")
    return truncateText(
      value,
      limits.text,
      (left, end) => `${formatCount(left)} more characters${rest(end)}`,
    );
  const inside = { ...limits, depth: depth - 1 };
  if (Array.isArray(value)) {
    if (depth === 0) return `(${formatCount(value.length)} elements${rest(0)})`;
    const shown = value.slice(0, items).map((item, i) => truncate(item, inside, `${at}/${i}`));
    const more = value.length - shown.length;
    return more > 0 ? [...shown, `(${formatCount(more)} more elements${rest(items)})`] : shown;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  if (depth === 0) return `(${formatCount(entries.length)} fields${rest(0)})`;
  const shown = entries.slice(0, items).map(([name, of], i) => {
    // Two names may be equal after truncation.
    const label = truncateText(
      name,
      limits.text,
      (left) => `${formatCount(left)} more characters, field ${i}`,
    );
    return [label, truncate(of!, inside, `${at}/${escaped(name)}`)] as const;
  });
  const more = entries.length - shown.length;
  return Object.fromEntries(
    more > 0 ? [...shown, ["…", `(${formatCount(more)} more fields${rest(items)})`]] : shown,
  );
}

/** The most characters of a shown pointer. */
const LONGEST_POINTER = 200;

function restAt({ rest }: TruncateLimits, at: string, from: number): string {
  return at.length > LONGEST_POINTER ? "" : rest(at, from);
}

/** At most this many characters of a text; `more` describes the omitted rest. */
export function truncateText(
  text: string,
  most: number,
  more: (left: number, end: number) => string = (left) => `${formatCount(left)} more characters`,
): string {
  const end = truncatedLength(text, most);
  return end >= text.length ? text : `${text.slice(0, end)}… (${more(text.length - end, end)})`;
}

/** As many of the first texts as have at most `most` characters together. */
export function firstThatFit(texts: readonly string[], most: number): readonly string[] {
  let left = most;
  const end = texts.findIndex((text) => {
    left -= text.length + 1;
    return left < 0;
  });
  return end < 0 ? texts : texts.slice(0, end);
}

/** The value at a JSON pointer, from a character or an element on; undefined if there is none. */
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

/** The largest length up to `length` UTF-16 units that does not cut a character in two. */
function truncatedLength(text: string, length: number): number {
  const last = text.charCodeAt(length - 1);
  return last >= 0xd800 && last < 0xdc00 ? length - 1 : length;
}

/** A number for people. */
export function formatCount(value: number): string {
  return value.toLocaleString("en");
}
