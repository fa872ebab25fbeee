// A single field in the syntax of expressions: `inputs["grade level"]`.

import { bad, ok, type Result } from "@assay/base";
import type { FieldPath } from "../expression/expr.ts";
import { textIssue } from "./text-issue.ts";
import { pathOf, tokensOf } from "./tokens.ts";

/** The field that `text` names. An issue's `path` is its offset in UTF-16 units. */
export function readField(text: string): Result<FieldPath> {
  const tokens = tokensOf(text);
  if (!tokens.ok) return tokens;
  const [first, second] = tokens.value;
  const path = pathOf(first!);
  if (path === undefined) return bad([textIssue(first!.start, "expected a field")]);
  return second?.kind === "end" ? ok(path) : bad([textIssue(second!.start, "expected the end of the field")]);
}
