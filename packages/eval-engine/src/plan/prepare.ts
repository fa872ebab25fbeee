// Prepares everything that a query waits for before its loops start: columns of the named fields, text searches of
// filters, numbers that decide rows, and means to sort by. Code that takes a `Prepared` does not access any source.

import type { RowSource } from "@assay/calls";
import type { Expr, FieldPath } from "@assay/query-lang";
import { fieldsOf } from "@assay/query-lang/internal";
import type { Work } from "../kernels/work.ts";
import { fieldAt } from "../query/field.ts";
import type { EvalQuery, SortKey } from "../query/request.ts";
import { rowNumbers } from "./derived/row-aggregates.ts";
import { prepareScoreMatrix } from "./derived/score-matrix.ts";
import { prepareColumns, type ReadySegment } from "./derived/value-columns.ts";
import { searchTexts } from "./evaluate-predicate.ts";
import type { Frame } from "./frame/frame.ts";
import { conditionTruths, type PreparedFilter, rowPlanOf } from "./plan-filter.ts";

/** A query over a frame, with everything that it reads prepared. */
export interface Prepared {
  readonly query: EvalQuery;
  readonly frame: Frame;
  /** The fields that it names, without duplicates. */
  readonly fields: readonly FieldPath[];
  /** The frame's segments, with prepared columns of these fields. */
  readonly segments: readonly ReadySegment[];
  /** One for each evaluation with filters; undefined if it is not in the frame. */
  readonly filters: readonly (PreparedFilter | undefined)[];
  /**
   * The means of rows that the query sorts by: for each sort key those of its evaluations, by their index in the
   * frame.
   */
  readonly means: ReadonlyMap<SortKey, ReadonlyMap<number, Float64Array>>;
}

/** Prepares the data that `query` reads of `frame`. */
export async function prepare(
  query: EvalQuery,
  frame: Frame,
  rows: { readonly source: RowSource; readonly project: string },
  work: Work,
): Promise<Prepared> {
  const fields = fieldsOfQuery(query);
  const segments = await prepareColumns(frame.segments, fields, rows, work);
  const filters: (PreparedFilter | undefined)[] = [];
  const byEvaluation = query.filters.length === 0 ? [] : filtersByEvaluation(query);
  for (const [evaluation, expr] of byEvaluation) {
    const e = query.evaluations.indexOf(evaluation);
    filters.push(e === -1 ? undefined : await preparedFilter(expr, e, segments[e]!, work));
  }
  const means = new Map<SortKey, ReadonlyMap<number, Float64Array>>();
  for (const key of query.sortBy) {
    const ofKey = new Map<number, Float64Array>();
    for (const e of meansOf(query, key)) {
      const numbers = rowNumbers(segments[e]!, key.path, "mean", work);
      ofKey.set(e, numbers instanceof Float64Array ? numbers : await numbers);
    }
    means.set(key, ofKey);
  }
  // A summary of some of the rows sums trials that are far apart in memory.
  const some = query.filters.length > 0 || (query.summaryIntersect && frame.segments.length > 1);
  if (query.summary && some) for (const segment of frame.segments) await prepareScoreMatrix(segment, work);
  return { query, frame, fields, segments, filters, means };
}

/** The evaluations of a sort key, as indexes in the frame. */
export function evaluationsOf({ evaluations }: EvalQuery, key: SortKey): number[] {
  return evaluations
    .map((_, e) => e)
    .filter((e) => key.difference || key.evaluation === null || evaluations[e] === key.evaluation);
}

function fieldsOfQuery({ filters, sortBy }: EvalQuery): FieldPath[] {
  const paths = [...filters.flatMap(({ expr }) => fieldsOf(expr)), ...sortBy.map(({ path }) => path)];
  return [...new Map(paths.map((path) => [fieldAt(path).key, path])).values()];
}

/** The combined condition on a trial of each evaluation; evaluations without a filter are left out. */
function filtersByEvaluation({ filters, evaluations }: EvalQuery): Map<string, Expr> {
  const found = new Map<string, Expr>();
  for (const scope of new Set([...evaluations, ...filters.flatMap(({ evaluation }) => evaluation ?? [])])) {
    const requested = evaluations.includes(scope);
    const operands = filters
      .filter(({ evaluation }) => evaluation === scope || (evaluation === null && requested))
      .map(({ expr }) => expr);
    if (operands.length > 0)
      found.set(scope, operands.length === 1 ? operands[0]! : { kind: "and", operands });
  }
  return found;
}

async function preparedFilter(
  expr: Expr,
  e: number,
  ready: ReadySegment,
  work: Work,
): Promise<PreparedFilter> {
  const searched = await searchTexts(expr, ready, work);
  const plan = rowPlanOf(expr, ready.segment);
  const bound = plan?.bound;
  const numbers = bound && (await rowNumbers(ready, bound.path, bound.statistic, work));
  const truths = await conditionTruths(expr, plan, { ready, searched }, work);
  return { e, ready, expr, truths, plan, numbers };
}

/** The evaluations whose means a key sorts by; none if a mean spans several of them, or the field is not a score. */
function meansOf(query: EvalQuery, key: SortKey): readonly number[] {
  const evaluations = evaluationsOf(query, key);
  return fieldAt(key.path).of === "scores" && (key.difference || evaluations.length === 1) ? evaluations : [];
}
