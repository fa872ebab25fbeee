// Builds the body of a query from the command line: evaluations by name, and conditions and sort keys as texts.

import type { EvalResultsQueryBody, EvalResultsSortBy } from "@assay/eval-engine";
import { readSort, type SortTerm } from "@assay/query-lang";
import { printFieldPath } from "@assay/query-lang/internal";
import type { DataAccess } from "@assay/server/internal";
import { EXIT, Failure } from "../terminal/failure.ts";
import {
  type Condition,
  evaluationIdOf,
  filtersOf,
  type NamedIds,
  namedIds,
  readCondition,
  withFields,
} from "./conditions.ts";
import { defaultSort, latestEvaluations, statsOf } from "./default-query.ts";
import { namedEvaluations } from "./named-evaluations.ts";
import { measureNamed, scoreMeasures } from "./score-measures.ts";
import { failureAt } from "./where-expression.ts";

/** The options of a query, as texts. */
export interface QueryOptions {
  /** Names or IDs; empty for the latest. */
  readonly evaluations: readonly string[];
  /** Conditions, all of which must hold; one that starts with `NAME:` applies only to that evaluation. */
  readonly where: readonly string[];
  /** Sort keys, `Δcorrect, inputs.level desc`; empty for the largest difference first. */
  readonly sort: readonly string[];
  /** The number of rows on the page; undefined for all. */
  readonly limit: number | undefined;
  /** The number of rows before the page. */
  readonly offset: number | undefined;
}

/** The options of a query whose texts are valid. */
export interface ParsedQuery extends Pick<QueryOptions, "evaluations" | "limit" | "offset"> {
  readonly conditions: readonly Condition[];
  readonly terms: readonly SortTerm[];
}

/** Parses the texts, before any data is opened. Fails with a caret below the error. */
export function readQueryOptions({ where, sort, ...options }: QueryOptions): ParsedQuery {
  return {
    ...options,
    conditions: where.map((text) => readCondition(text, options.evaluations)),
    terms: sort.flatMap((text) => {
      const read = readSort(text);
      if (!read.ok) throw failureAt("--sort", text, read.issues[0]!);
      return read.value;
    }),
  };
}

/** The body of the query, with all names looked up. Fails for unknown names, unless they may be missing. */
export async function bodyOfQuery(
  data: DataAccess,
  project: string,
  options: ParsedQuery,
  allowMissing: boolean,
): Promise<EvalResultsQueryBody> {
  const { terms, limit, offset } = options;
  const names = options.evaluations;
  const ids =
    names.length === 0
      ? await latestEvaluations(data, project)
      : await namedEvaluations(data, project, names, allowMissing);
  const stats = await statsOf(data, project, ids);
  const scores = scoreMeasures(stats);
  const asked = { evaluations: ids, conditions: options.conditions };
  const conditions = await withFields(data, project, asked, stats);
  const named = await namedIds(data, project, ids, {
    given: names,
    wanted: [...conditions.map(({ about }) => about), ...terms.map(({ evaluation }) => evaluation)],
  });
  const sort_by =
    terms.length === 0 ? defaultSort(ids, stats) : terms.map((term) => sortKey(term, scores, named));
  return {
    evaluation_call_ids: ids,
    ...filtersOf(conditions, named),
    ...(sort_by.length > 0 && { sort_by }),
    include_summary: true,
    include_raw_data_rows: true,
    resolve_row_refs: true,
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
  };
}

const PARTS: readonly string[] = ["scores", "inputs", "outputs", "output", "row_digest"];

function sortKey(
  { path, difference, descending, evaluation }: SortTerm,
  scores: readonly string[],
  named: NamedIds,
): EvalResultsSortBy {
  return {
    field: PARTS.includes(path[0]!) ? printFieldPath(path) : scoreNamed(printFieldPath(path), scores),
    direction: descending ? "desc" : "asc",
    ...(difference && { mode: "difference" as const }),
    ...(evaluation !== undefined && { evaluation_call_id: evaluationIdOf("--sort", evaluation, named) }),
  };
}

function scoreNamed(name: string, scores: readonly string[]): string {
  // Rows have no order by latency or tokens.
  const found = measureNamed(name, scores, []);
  if ("missing" in found) throw new Failure(EXIT.usage, `--sort: ${found.missing}`);
  return found.field;
}
