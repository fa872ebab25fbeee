// Evaluations that a program has in its hands, as objects: trial by trial, or as a table. They become calls and dataset
// rows like all others, so that they are asked, and answer, as others do.

import { memoryRows } from "@assay/calls";
import { createEvalEngine, type EvalEngine } from "../execute/engine.ts";
import { type NotesSource, type QueryNote, queryNotes } from "../execute/notes.ts";
import { type QueryInWords, queryBody } from "../query/query-body.ts";
import type { EvalResultsQueryBody } from "../query/request.ts";
import type { EvalResults } from "../query/response.ts";
import type { CompareBody } from "../statistics/body.ts";
import type { CompareResults } from "../statistics/response.ts";
import type { EvaluationLog } from "./evaluation-log.ts";
import { LOCAL_PROJECT, loggedCalls, RowRefs } from "./logged-calls.ts";

/** An answer, and what was asked for that is not there. */
export interface NotedResults extends EvalResults {
  /** A note for each evaluation and field that is named and not there, and for evaluations without common rows. */
  readonly notes: readonly QueryNote[];
}

/** Evaluations with an engine that knows them. */
export interface LoadedEvaluations {
  /** For every question there is. */
  readonly engine: EvalEngine;
  /** The project that the engine has them in. */
  readonly project: string;
  /** Their ids, which are their names, in order. */
  readonly evaluations: readonly string[];
  /** Asks in words, all of them when none are named. Throws a TypeError that says what is wrong with the words. */
  query(words?: Partial<QueryInWords>): Promise<NotedResults>;
  /**
   * Did it get better, on the rows that `where` keeps: the others against `baseline`, the first when none is named.
   * Throws a TypeError that says what is wrong with what was asked.
   */
  compare(asked?: ComparisonInWords): Promise<CompareResults>;
}

/** What a comparison asks of all that is loaded: how to compare, and which trials count, in words. */
type ComparisonInWords = Partial<Omit<CompareBody, "query">> & Pick<Partial<QueryInWords>, "where">;

/** Loads evaluations. Throws a TypeError when two have one name, or a trial is none. */
export function loadEvaluations(...logs: readonly EvaluationLog[]): LoadedEvaluations {
  const names = logs.map(({ facts }) => facts.name);
  const twice = names.find((name, i) => name === "" || names.indexOf(name) !== i);
  if (twice === "") throw new TypeError("an evaluation needs a name");
  if (twice !== undefined) throw new TypeError(`two evaluations are called ${twice}: give each its own name`);
  const rows = new RowRefs();
  const calls = loggedCalls(logs, rows);
  const engine = createEvalEngine({ calls, rows: memoryRows(rows.rows) });
  const source: NotesSource = {
    query: (project, body) => engine.answer(project, body),
    evaluations: async () => names.map((name) => ({ id: name, name })),
    projects: async () => [LOCAL_PROJECT],
    isThere: async (_, id) => names.includes(id),
  };
  const bodyOf = (words: Partial<QueryInWords>): EvalResultsQueryBody => {
    const body = queryBody({ evaluations: names, ...words });
    if (body.ok) return body.value;
    throw new TypeError(body.issues.map(({ path, message }) => `${path.join(" ")}: ${message}`).join("; "));
  };
  return {
    engine,
    project: LOCAL_PROJECT,
    evaluations: names,
    async query(words = {}) {
      const body = bodyOf(words);
      const answer = await engine.query(LOCAL_PROJECT, body);
      return { ...answer, notes: await queryNotes(source, LOCAL_PROJECT, body) };
    },
    compare: async ({ where, baseline, ...how } = {}) =>
      engine.compare(LOCAL_PROJECT, {
        query: bodyOf(where === undefined ? {} : { where }),
        baseline: baseline ?? names[0] ?? "",
        ...how,
      }),
  };
}
