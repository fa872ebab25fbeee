// The beginning of a value: what a page shows of a row or an output before someone opens it.

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
interface Room {
  left: number;
}

function cut(value: Json, room: Room, depth: number): Json {
  if (typeof value === "string") return taken(value, room);
  if (typeof value !== "object" || value === null) {
    room.left -= JSON.stringify(value).length;
    return value;
  }
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of depth < DEEPEST ? value : []) {
      if (room.left <= 0) break;
      items.push(cut(item, room, depth + 1));
    }
    return items;
  }
  const members: [string, Json][] = [];
  for (const [key, member] of depth < DEEPEST ? Object.entries(value) : []) {
    if (room.left <= key.length) break;
    room.left -= key.length;
    members.push([key, cut(member, room, depth + 1)]);
  }
  return Object.fromEntries(members);
}

/** The beginning of a text, without half of a surrogate pair at its end. */
function taken(text: string, room: Room): string {
  const end = Math.max(0, Math.min(room.left, text.length));
  room.left -= end;
  const half = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return text.slice(0, half ? end - 1 : end);
}
