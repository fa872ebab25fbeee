// Warnings about the names and literals of a question, computed after it is answered. Every execution adds them to its
// answer.

import { ok, type Result } from "@assay/base";
import type { FieldPath } from "@assay/query-lang";
import { type EvalQuery, readRequest } from "../query/request.ts";
import type { EvalResults } from "../query/response.ts";
import type { UnmetNames } from "../query/unmet.ts";
import type { QueryNote } from "./unknown-names.ts";
import { type AnswerFacts, unprovenNames } from "./unproven.ts";

/** Answers a parsed query without checking its names. */
export type AnswerQuery = (project: string, query: EvalQuery) => Promise<EvalResults>;

/**
 * Notes on the query's fields that no row has and on conditions that can never be true, except those that `answered`
 * disproves. `more` are further fields of the question. Costs nothing if the answer proves all names.
 */
export async function unmetNames(
  answer: AnswerQuery,
  project: string,
  query: EvalQuery,
  answered: AnswerFacts,
  more: readonly FieldPath[] = [],
): Promise<readonly QueryNote[]> {
  const { fields, comparisons, constants } = unprovenNames(query, answered);
  if (fields.length + more.length + comparisons.length + constants.length === 0) return [];
  const ask = async (of: string, body: unknown): Promise<Result<EvalResults>> => {
    const read = readRequest(body);
    return read.ok ? ok(await answer(of, read.value)) : read;
  };
  const { unmetNotes } = await import("./unknown-names.ts");
  const unproven = { fields: [...fields, ...more], comparisons, constants };
  return unmetNotes({ query: ask }, project, query.evaluations, unproven);
}

/** The same for questions that only select rows of a project. */
export function unmetNamesOfSelection(answer: AnswerQuery, project: string): UnmetNames {
  return (query, kept, more) => unmetNames(answer, project, { ...query, sortBy: [] }, { kept }, more);
}

/** An answer with notes about its query's names among its warnings. */
export async function withNameWarnings(
  answer: AnswerQuery,
  project: string,
  query: EvalQuery,
  results: EvalResults,
): Promise<EvalResults> {
  const { total_rows, summary, rows, warnings } = results;
  const kept = Math.max(total_rows, summary?.row_count ?? 0);
  const notes = await unmetNames(answer, project, query, { kept, first: rows[0] });
  return notes.length === 0
    ? results
    : { ...results, warnings: [...warnings, ...notes.map(({ message }) => message)] };
}
