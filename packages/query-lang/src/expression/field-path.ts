// Field paths: their text, and looking up a path in JSON. Only own properties are read.

import { bad, type Json, ok, type Result } from "@assay/base";
import type { FieldPath } from "./expr.ts";
import { LIMITS } from "./limits.ts";

const INDEX = /^(?:0|[1-9][0-9]*)$/;

/**
 * Parses a path. Segments are split at `.`; `\.` is a literal dot, `\\` a literal backslash, and a backslash before
 * anything else stands for itself. Empty segments, too many segments and a text that is too long are issues with the
 * code `value_error`.
 */
export function readFieldPath(text: string): Result<FieldPath> {
  const wrong = (message: string) => bad([{ code: "value_error", path: [], message }]);
  if (text.length > LIMITS.textLength)
    return wrong(`a field path may have at most ${LIMITS.textLength} characters`);
  const path = split(text);
  if (path.includes(""))
    return wrong("a field path cannot have an empty segment; write a literal dot as \\.");
  if (path.length > LIMITS.pathSegments) {
    return wrong(`a field path may have at most ${LIMITS.pathSegments} segments, not ${path.length}`);
  }
  return ok(path);
}

/** Prints `path` as text, the inverse of `readFieldPath` (if no segment is empty). */
export function printFieldPath(path: FieldPath): string {
  return path.map((segment) => segment.replaceAll(/[.\\]/g, "\\$&")).join(".");
}

/**
 * The value at `path` inside `value`, starting at the segment numbered `from` (default 0). Objects are indexed by
 * their own keys, arrays by segments that are non-negative integers in plain decimal. Missing values are null.
 */
export function getPath(value: Json | undefined, path: FieldPath, from = 0): Json {
  let here = value;
  for (let i = from; i < path.length; i++) {
    const segment = path[i]!;
    if (typeof here !== "object" || here === null) return null;
    if (Array.isArray(here)) here = INDEX.test(segment) ? here[Number(segment)] : undefined;
    else
      here = Object.hasOwn(here, segment) ? (here as { readonly [key: string]: Json })[segment] : undefined;
  }
  return here ?? null;
}

function split(text: string): string[] {
  const segments: string[] = [];
  let segment = "";
  for (let i = 0; i < text.length; i++) {
    const [character, next] = [text[i]!, text[i + 1]];
    if (character === "\\" && (next === "." || next === "\\")) {
      segment += next;
      i++;
    } else if (character === ".") {
      segments.push(segment);
      segment = "";
    } else segment += character;
  }
  return [...segments, segment];
}
