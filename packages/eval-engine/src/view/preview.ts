// The beginning of a value, which a page shows of a row or an output before a user opens it.

import { type Json, jsonText } from "@assay/base";
import type { Preview } from "./wire/response.ts";

// The number of levels shown.
const DEEPEST = 8;

/** As much of `value` as fits in `most` characters: texts are cut, later members left out; numbers are never cut. */
export function previewOf(value: Json, most: number): Preview {
  const length = typeof value === "string" ? value.length : jsonText(value).length;
  const divides = typeof value === "string" || (typeof value === "object" && value !== null);
  if (length <= most || !divides) return { value, length, cut: false };
  return { value: cut(value, { left: most }, 0), length, cut: true };
}

/** The number of characters left. */
interface Budget {
  left: number;
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
  const end = Math.max(0, Math.min(budget.left, text.length));
  budget.left -= end;
  const half = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return text.slice(0, half ? end - 1 : end);
}
