// Compares a call's times. Clients write instants as numbers of seconds or in several ISO 8601 forms; compared as text,
// equal instants would differ.

import type { Json } from "@assay/base";
import { microseconds } from "@assay/calls";
import type { Expr, FieldPath } from "@assay/query-lang";
import { mapComparisons } from "./map-comparisons.ts";

const TIMES: ReadonlySet<string> = new Set(["started_at", "ended_at", "created_at"]);

/**
 * The path segment that turns a time field into its seconds since 1970. Clients cannot write it, because times have no
 * fields inside.
 */
const SECONDS = "";

/** Whether `path` is one of the times of a call or of feedback. */
export function isTime(path: FieldPath): boolean {
  return path.length === 1 && TIMES.has(path[0]!);
}

/** `expr` with comparisons between times and literals turned into comparisons of instants. */
export function comparingInstants(expr: Expr): Expr {
  return mapComparisons(expr, (comparison) => {
    const { left, right } = comparison;
    const [leftInstant, rightInstant] = [instantOf(left), instantOf(right)];
    if (left.kind === "field" && isTime(left.path) && rightInstant !== undefined)
      return { ...comparison, left: secondsOf(left.path), right: { kind: "literal", value: rightInstant } };
    if (right.kind === "field" && isTime(right.path) && leftInstant !== undefined)
      return { ...comparison, left: { kind: "literal", value: leftInstant }, right: secondsOf(right.path) };
    return comparison;
  });
}

/** The value of a field that `comparingInstants` may have rewritten. */
export function secondsAt(path: FieldPath, time: Json): Json {
  if (path.at(-1) !== SECONDS) return time;
  const micros = typeof time === "string" ? microseconds(time) : Number.NaN;
  return Number.isNaN(micros) ? null : micros / 1e6;
}

function secondsOf(path: FieldPath): Expr {
  return { kind: "field", path: [...path, SECONDS] };
}

/** The seconds of a literal that is a number or a time. */
function instantOf(expr: Expr): number | undefined {
  if (expr.kind !== "literal") return undefined;
  if (typeof expr.value === "number") return expr.value;
  const micros = typeof expr.value === "string" ? microseconds(expr.value) : Number.NaN;
  return Number.isNaN(micros) ? undefined : micros / 1e6;
}
