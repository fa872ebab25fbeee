// A one-line title for a row: people recognise a question, but not a digest.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { FieldPath } from "@assay/query-lang";
import { leavesOf } from "./json-leaves.ts";

/** Common names of the field that asks the question, the most telling first. */
const ASKED = ["question", "prompt", "instruction", "query", "problem", "input", "text", "task", "message"];

/**
 * The text field that distinguishes `rows` best: the one with the most distinct values. Ties go to a field with a
 * question's name, then to the first with several words, since identifiers have one.
 */
export function titleField(rows: readonly Json[]): FieldPath | undefined {
  const found = new Map<string, { readonly path: FieldPath; readonly values: Set<string>; words: number }>();
  for (const row of rows)
    for (const [path, value] of leavesOf(row, [])) {
      // Lists come as texts too, but don't count.
      if (typeof value !== "string" || path.length === 0 || splitAt(row, path) === undefined) continue;
      const key = JSON.stringify(path);
      const field = found.get(key) ?? { path, values: new Set(), words: 0 };
      field.values.add(value);
      if (value.includes(" ")) field.words++;
      found.set(key, field);
    }
  const fields = [...found.values()].sort(
    (a, b) =>
      b.values.size - a.values.size ||
      titleRank(a.path) - titleRank(b.path) ||
      Number(2 * b.words >= rows.length) - Number(2 * a.words >= rows.length),
  );
  return fields[0]?.path;
}

function titleRank(path: FieldPath): number {
  const name = path.at(-1)!.toLowerCase();
  const rank = ASKED.findIndex((asked) => name.includes(asked));
  return rank === -1 ? ASKED.length : rank;
}

/** The text at `path` in a row, and the row without it; undefined if the row has no text there. */
export function splitAt(row: Json, path: FieldPath): readonly [title: string, rest: Json] | undefined {
  const [key, ...deeper] = path;
  if (key === undefined) return typeof row === "string" ? [row, null] : undefined;
  if (!isJsonObject(row)) return undefined;
  const { [key]: inner = null, ...others } = row;
  const split = splitAt(inner, deeper);
  if (split === undefined) return undefined;
  const [title, rest] = split;
  return [title, rest === null ? others : { ...others, [key]: rest }];
}
