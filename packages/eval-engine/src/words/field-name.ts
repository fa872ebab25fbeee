// Names of fields for people, which conditions, sort keys and options also accept.

import type { FieldPath } from "@assay/query-lang";
import { isBareHead, printField, printFieldPath, readField, readFieldPath } from "@assay/query-lang/internal";
import { fieldFault } from "../query/field.ts";
import type { EvalResultsScorerStats } from "../query/response.ts";

/**
 * The first segments of fields, and the measures other than scores: a score with one of these names keeps its `scores.`
 * prefix.
 */
const TAKEN: readonly string[] = [
  "scores",
  "inputs",
  "outputs",
  "output",
  "row_digest",
  "model_latency_seconds",
  "total_tokens",
];

/** A field in the notation of expressions. `scores.` is omitted if the rest is a valid expression. */
export function fieldName(path: FieldPath): string {
  const [of, head, ...rest] = path;
  const short = of === "scores" && head !== undefined && isBareHead(head) && !TAKEN.includes(head);
  return printField(short ? [head, ...rest] : path);
}

/** A field of the row, as typed, for requests; `inputs.` is added unless the name starts with a part of a trial. */
export function rowField(text: string): string {
  const written = readField(text);
  const path = written.ok ? written : readFieldPath(text);
  if (!path.ok) return text;
  return printFieldPath(fieldFault(path.value) === undefined ? path.value : ["inputs", ...path.value]);
}

/** The field of a value at a scorer's path, in the notation of queries. */
export function leafField(path: FieldPath): string {
  return printFieldPath(["scores", ...path]);
}

/** The field of a score, in the notation of queries. */
export function scoreField({
  scorer_key,
  path,
}: Pick<EvalResultsScorerStats, "scorer_key" | "path">): string {
  const scorer = leafField([scorer_key]);
  return path === null ? scorer : `${scorer}.${path}`;
}
