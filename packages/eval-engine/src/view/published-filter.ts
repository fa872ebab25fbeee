// Converts a condition on a field of the row to a filter of the query, which statistics accept and other clients know.

import { evaluationOfAdded } from "../query/added-filter.ts";
import type { EvalQuery, EvalResultsFilter } from "../query/request.ts";

/** The conditions of a row filter that a query's filter can express. */
interface Conditions {
  readonly equals?: string | number | boolean;
  readonly none_of?: readonly (string | number | boolean)[];
  readonly at_least?: number;
  readonly below?: number;
  readonly at_most?: number;
  readonly known?: boolean;
}

/**
 * The filter that selects exactly the rows that meet the conditions when added to the query's own; null if no single
 * filter does.
 */
export function publishedFilter(
  field: string,
  conditions: Conditions,
  query: EvalQuery,
): EvalResultsFilter | null {
  const evaluation = evaluationOfAdded(query);
  if (evaluation === undefined) return null;
  return { evaluation_call_id: evaluation, query: { $expr: expressionOf(field, conditions) } };
}

function expressionOf(field: string, conditions: Conditions): object {
  const of = { $getField: field };
  const { equals, none_of, at_least, below, at_most, known } = conditions;
  const equal = (value: unknown): object => ({ $eq: [of, { $literal: value }] });
  const all = [
    ...(equals === undefined ? [] : [equal(equals)]),
    // Null is neither equal nor unequal to anything, so such rows are left out.
    ...(none_of ?? []).map((value) => ({ $not: [equal(value)] })),
    ...(at_least === undefined ? [] : [{ $gte: [of, { $literal: at_least }] }]),
    ...(below === undefined ? [] : [{ $lt: [of, { $literal: below }] }]),
    ...(at_most === undefined ? [] : [{ $lte: [of, { $literal: at_most }] }]),
    ...(known === false ? [{ $not: [{ $convert: { input: of, to: "exists" } }] }] : []),
  ];
  return all.length === 1 ? all[0]! : { $and: all };
}
