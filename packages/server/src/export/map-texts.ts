// Replaces texts in a JSON value. Unchanged parts remain the same objects, and numbers keep their notation, because the
// content of a row identifies it.

import type { Json } from "@assay/base";
import { keepNumberText, numberTexts } from "@assay/base/internal";

/** `value` with `text` applied to each text other than keys. */
export function mapTexts(value: Json, text: (given: string) => string): Json {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, text));
    return items.every((item, i) => item === value[i]) ? value : withNumbersOf(value, items);
  }
  const given = value as { readonly [key: string]: Json };
  const entries = Object.entries(given).map(([key, item]) => [key, mapTexts(item, text)] as const);
  return entries.every(([key, item]) => item === given[key])
    ? value
    : withNumbersOf(value, Object.fromEntries(entries));
}

/** `value` with `replaced` at `path`; unchanged if the path does not exist. */
export function withAt(value: Json, path: readonly string[], replaced: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return replaced;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return value;
  const inner = withAt((value as { readonly [key: string]: Json })[key]!, rest, replaced);
  if (Array.isArray(value)) return withNumbersOf(value, Object.assign([...value], { [key]: inner }));
  return withNumbersOf(value, { ...value, [key]: inner });
}

function withNumbersOf<T extends object>(value: Json & object, copy: T): T {
  if (numberTexts(value) === undefined) return copy;
  for (const key of Object.keys(value)) keepNumberText(value, key, copy, key);
  return copy;
}
