// A query in words, as the body of a request.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { printQuery, readExpression, readSort, type SortTerm } from "@assay/query-lang";
import { printFieldPath } from "@assay/query-lang/internal";
import { fieldFault } from "./field.ts";
import type { EvalResultsQueryBody, EvalResultsSortBy } from "./request.ts";

/** A query in words. */
export interface QueryInWords {
  /** IDs of evaluations. */
  readonly evaluations: readonly string[];
  /** The condition that trials must meet, such as `inputs.category = "math" and scores.quality < 0.5`. */
  readonly where?: string | undefined;
  /** The order of rows, such as `Δcorrect, inputs.level desc`. A name that is not a field is taken as a score. */
  readonly sort?: string | undefined;
  /** The number of rows on the page. Default: all. */
  readonly limit?: number | undefined;
  /** The number of rows before the page. Default 0. */
  readonly offset?: number | undefined;
}

/** The first segments of fields. */
const PARTS: readonly string[] = ["scores", "inputs", "outputs", "output", "row_digest"];

/**
 * The body of the query, with the content of rows and a summary. An issue's `path` is `where` or `sort`, then the
 * offset in that text in UTF-16 units; its code is `value_error`. Does not check whether evaluations and fields exist.
 */
export function queryBody({
  evaluations,
  where,
  sort,
  limit,
  offset,
}: QueryInWords): Result<EvalResultsQueryBody> {
  if (!Array.isArray(evaluations))
    return bad([{ code: "list_type", path: ["evaluations"], message: "evaluations must be a list" }]);
  for (const [name, text] of Object.entries({ where, sort }))
    if (text !== undefined && typeof text !== "string")
      return bad([{ code: "value_error", path: [name], message: `${name} must be a text` }]);
  const condition = where === undefined ? undefined : readExpression(where, { field: fieldFault });
  const terms = sort === undefined ? undefined : readSort(sort);
  const issues = [...issuesOf(condition, "where"), ...issuesOf(terms, "sort")];
  if (issues.length > 0) return bad(issues);
  return ok({
    evaluation_call_ids: evaluations,
    ...(condition?.ok && {
      filters: [{ query: printQuery(condition.value) as { readonly $expr: unknown } }],
    }),
    ...(terms?.ok && { sort_by: terms.value.map(sortKey) }),
    include_summary: true,
    include_raw_data_rows: true,
    resolve_row_refs: true,
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
  });
}

function issuesOf(read: Result<unknown> | undefined, name: string): readonly Issue[] {
  if (read === undefined || read.ok) return [];
  return read.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] }));
}

function sortKey({ path, difference, descending, evaluation }: SortTerm): EvalResultsSortBy {
  return {
    field: printFieldPath(PARTS.includes(path[0]!) ? path : ["scores", ...path]),
    direction: descending ? "desc" : "asc",
    ...(difference && { mode: "difference" as const }),
    ...(evaluation !== undefined && { evaluation_call_id: evaluation }),
  };
}
