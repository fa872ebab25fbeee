// Issues in an expression text, with their positions.

import type { Issue } from "@assay/base";

/** The number of characters shown on either side of a fault. */
const AROUND = 60;

/** An issue at `offset`, in UTF-16 units. */
export function textIssue(offset: number, message: string): Issue {
  return { code: "value_error", path: [offset], message };
}

/**
 * The line of `text` at `offset` with a caret below it: two lines for a terminal. Long lines are cut around the
 * offset.
 */
export function pointAt(text: string, offset: number): readonly [line: string, caret: string] {
  const at = Math.min(Math.max(offset, 0), text.length);
  const from = text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at);
  const before = Array.from(text.slice(from, at).replaceAll("\t", " "));
  const after = Array.from(text.slice(at, end === -1 ? undefined : end).replaceAll("\t", " "));
  const left = before.length > AROUND ? ["…", ...before.slice(1 - AROUND)] : before;
  const right = after.length > AROUND ? [...after.slice(0, AROUND - 1), "…"] : after;
  return [[...left, ...right].join(""), `${" ".repeat(left.length)}^`];
}
