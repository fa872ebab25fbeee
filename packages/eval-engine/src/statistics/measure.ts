// A measure: the value of each row in each evaluation, as a boolean or a number.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { compareText, didYouMean, nearest } from "@assay/base/internal";
import { printFieldPath } from "@assay/query-lang/internal";
import type { Direction } from "@assay/statistics";
import { type Reduction, readReducer } from "@assay/statistics/exact";
import { type DirectionSource, directionOf } from "./measures/direction.ts";
import type { RowValues } from "./rows/row-values.ts";
import type { SelectedEvaluation, SelectedRows } from "./rows/selected-rows.ts";
import type { Common, RequestedMeasure } from "./wire/read-body.ts";

/** A measure over a selection. */
export interface Measure {
  readonly field: string;
  readonly kind: "boolean" | "number" | null;
  /** Null if unknown. */
  readonly direction: Direction | null;
  readonly directionSource: DirectionSource | null;
  readonly margin: number;
  /** The reducer's name. */
  readonly reduce: string;
  /** The row values of each evaluation, after replacing missing ones. */
  readonly values: readonly RowValues[];
}

const MEAN = readReducer("mean")!;

/**
 * The requested measures, or every score leaf. A named measure must exist in some evaluation; an issue has the path of
 * its name.
 */
export function measuresOf(
  selection: SelectedRows,
  asked: readonly RequestedMeasure[] | Omit<RequestedMeasure, "path" | "at">,
  { missing, kept }: Pick<Common, "kept"> & { readonly missing: "exclude" | "fail" },
): Result<Measure[]> {
  const issues: Issue[] = [];
  const named = Array.isArray(asked) ? (asked as readonly RequestedMeasure[]) : undefined;
  const all =
    named ??
    selection.leaves
      .map((leaf) => ({
        ...(asked as Omit<RequestedMeasure, "path" | "at">),
        at: undefined,
        path: ["scores", ...leaf],
      }))
      .sort((a, b) => compareText(printFieldPath(a.path), printFieldPath(b.path)));
  const measures = all.map((one) => {
    const known = selection.evaluations.map((evaluation) => evaluation.values(one.path, MEAN));
    const kind = kindOf(selection.evaluations, known);
    const field = printFieldPath(one.path);
    const fault = faultOf(selection, one, known, kind);
    if (fault !== undefined) issues.push(fault);
    const { direction, source } = directionOf({ path: one.path, kind, asked: one.direction, kept });
    // Measures that the question does not name and whose passes cannot be counted use the mean.
    const reduction = kind === "number" && one.reduction.ofPasses ? MEAN : one.reduction;
    const values =
      reduction.by === "mean"
        ? known
        : selection.evaluations.map((evaluation) => evaluation.values(one.path, reduction));
    return {
      field,
      kind,
      direction,
      directionSource: source,
      margin: one.margin,
      reduce: nameOf(reduction),
      values: missing === "fail" && kind === "boolean" ? values.map(failing) : values,
    };
  });
  return issues.length === 0 ? ok(measures) : bad(issues);
}

function nameOf({ by, k }: Reduction): string {
  return by === "pass@" || by === "pass^" ? `${by}${k}` : by;
}

/** The kind of the known values of selected rows. */
function kindOf(
  evaluations: readonly SelectedEvaluation[],
  known: readonly RowValues[],
): "boolean" | "number" | null {
  let some = false;
  const mayBeNumeric = known.some(({ anyNumeric }) => anyNumeric);
  for (const [e, values] of known.entries()) {
    for (const place of evaluations[e]!.places) {
      if (place === -1) continue;
      const state = values.stateOf === undefined ? place : values.stateOf[place]!;
      if (values.known[state] === 0) continue;
      if (values.numeric[state] === 1) return "number";
      some = true;
      if (!mayBeNumeric) break;
    }
  }
  return some ? "boolean" : null;
}

function faultOf(
  { evaluations, leaves }: SelectedRows,
  { at, path, reduction }: RequestedMeasure,
  known: readonly RowValues[],
  kind: Measure["kind"],
): Issue | undefined {
  if (at === undefined) return undefined;
  const field = printFieldPath(path);
  if (
    evaluations.some(({ hasTrials }) => hasTrials) &&
    known.every((values) => values.known.every((n) => n === 0))
  )
    return {
      code: "value_error",
      path: [...at],
      message: `no trial of the evaluations has a number or boolean at ${field}${suggestionFor(field, leaves)}`,
    };
  if (kind === "number" && reduction.ofPasses)
    return {
      code: "value_error",
      path: [...at],
      message: `${nameOf(reduction)} needs a pass/fail score, and ${field} has numbers`,
    };
  return undefined;
}

/** Existing measures that an unknown name may mean. */
function suggestionFor(field: string, leaves: SelectedRows["leaves"]): string {
  const known = leaves.map((leaf) => printFieldPath(["scores", ...leaf])).sort();
  const suggestions = nearest(field, known);
  if (suggestions.length > 0) return didYouMean(suggestions);
  return known.length === 0 ? "" : `; available: ${known.slice(0, 5).join(", ")}`;
}

/** The same, with rows without a known value counted as failed. */
function failing(values: RowValues): RowValues {
  return { ...values, values: values.values.map((value, state) => (values.known[state] === 0 ? 0 : value)) };
}
