// The beginning of a value, which a page shows of a row or an output before a user opens it.

import { type Json, jsonText } from "@assay/base";
import type { Preview } from "./wire/response.ts";

// The number of levels shown.
const DEEPEST = 8;

// The least length that texts of a value are cut to, and the number of texts that share its characters.
const LEAST = 40;
const MOST_TEXTS = 200;

/**
 * As much of `value` as fits in `most` characters: long texts are cut to the same length, so that short ones after them
 * remain; later members are left out; numbers are never cut.
 */
export function previewOf(value: Json, most: number): Preview {
  const length = typeof value === "string" ? value.length : jsonText(value).length;
  const divides = typeof value === "string" || (typeof value === "object" && value !== null);
  if (length <= most || !divides) return { value, length, cut: false };
  return { value: cut(value, { left: most, text: longestText(value, most) }, 0), length, cut: true };
}

/** The number of characters left, and the most of a text. */
interface Budget {
  left: number;
  readonly text: number;
}

/** The length to cut texts to, for all of them to fit in `most` characters with the keys. */
function longestText(value: Json, most: number): number {
  const lengths: number[] = [];
  let left = most - collectLengths(value, lengths, 0);
  for (const [at, length] of lengths.sort((a, b) => a - b).entries()) {
    const share = Math.floor(left / (lengths.length - at));
    if (length > share) return Math.max(LEAST, share);
    left -= length;
  }
  return most;
}

/** Adds the lengths of texts to `into`. Returns the length of the keys. */
function collectLengths(value: Json, into: number[], depth: number): number {
  if (typeof value === "string") into.push(value.length);
  if (typeof value !== "object" || value === null || depth === DEEPEST) return 0;
  let keys = 0;
  for (const [key, member] of Object.entries(value)) {
    if (into.length >= MOST_TEXTS) break;
    keys += Array.isArray(value) ? 0 : key.length;
    keys += collectLengths(member, into, depth + 1);
  }
  return keys;
}

function cut(value: Json, budget: Budget, depth: number): Json {
  if (typeof value === "string") return taken(value, budget);
  if (typeof value !== "object" || value === null) {
    budget.left -= JSON.stringify(value).length;
    return value;
  }
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of depth < DEEPEST ? value : []) {
      if (budget.left <= 0) break;
      items.push(cut(item, budget, depth + 1));
    }
    return items;
  }
  const members: [string, Json][] = [];
  for (const [key, member] of depth < DEEPEST ? Object.entries(value) : []) {
    if (budget.left <= key.length) break;
    budget.left -= key.length;
    members.push([key, cut(member, budget, depth + 1)]);
  }
  return Object.fromEntries(members);
}

/** The beginning of a text, without half of a surrogate pair at its end. */
function taken(text: string, budget: Budget): string {
  const end = Math.max(0, Math.min(budget.left, budget.text, text.length));
  budget.left -= end;
  const half = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return text.slice(0, half ? end - 1 : end);
}
