// Names of things in messages, which stay short for queries of any size.

import { excerpt } from "@assay/base/internal";

/** A short description of `raw` of any size, for a message. */
export function described(raw: unknown): string {
  if (raw === undefined) return "nothing";
  if (raw === null || typeof raw === "number" || typeof raw === "boolean") return String(raw);
  if (typeof raw === "string") return excerpt(raw);
  if (Array.isArray(raw)) return "a list";
  return typeof raw === "object" ? "an object" : `a ${typeof raw}`;
}

/** Words in a list: `a, b or c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
