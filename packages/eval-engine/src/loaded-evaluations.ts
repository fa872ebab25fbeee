// Evaluations that a program has in its hands, as objects: trial by trial, or as a table. They become calls and dataset
// rows like all others, so that they are asked, and answer, as others do.

import { memoryRows } from "@assay/calls";
import { createEvalEngine, type EvalEngine } from "./engine.ts";
import { LOCAL_PROJECT, loggedCalls, RowRefs } from "./logged-calls.ts";
import { type QueryInWords, queryBody } from "./query-body.ts";
import type { EvalResultsQueryBody } from "./request.ts";
import type { EvalResults } from "./response.ts";
import type { CompareBody } from "./statistics/body.ts";
import type { CompareResults } from "./statistics/response.ts";

/** What an evaluation is. */
export interface EvaluationFacts {
  /** What it is called, and asked for by: different for each that is loaded together. */
  readonly name: string;
  /** The model that answered. */
  readonly model?: string;
  /** What it was asked; evaluations of one dataset are compared. Default `dataset`. */
  readonly dataset?: string;
}

/** One answer to one row, and how it was scored. All values are JSON. */
export interface LoggedTrial<Row extends object = object, Scores extends object = object> {
  /** The dataset's fields alone. Rows with the same content are the same row in every evaluation. */
  readonly row: Row;
  /** What the model answered. */
  readonly output?: unknown;
  /** By scorer: numbers, true or false, texts, or objects of these. Null is no value. */
  readonly scores?: Scores;
  /** In seconds. */
  readonly latency?: number | null | undefined;
  /** Of all models that were asked, prompts and answers together. */
  readonly tokens?: number | null | undefined;
  /** What the trial ended with, when that is not an answer: it then has no scores, which is no failure. */
  readonly error?: string | null | undefined;
}

/** An evaluation that is being put together. */
export interface EvaluationLog<Row extends object = object, Scores extends object = object> {
  /** What it is. */
  readonly facts: EvaluationFacts;
  /** What was added, in order. */
  readonly trials: readonly LoggedTrial<Row, Scores>[];
  /** Adds a trial; of a row that has one already, one more. */
  trial(trial: LoggedTrial<Row, Scores>): EvaluationLog<Row, Scores>;
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
  query(words?: Partial<QueryInWords>): Promise<EvalResults>;
  /**
   * Did it get better, on the rows that `where` keeps: the others against `baseline`, the first when none is named.
   * Throws a TypeError that says what is wrong with what was asked.
   */
  compare(asked?: ComparisonInWords): Promise<CompareResults>;
}

/** What a comparison asks of all that is loaded: how to compare, and which trials count, in words. */
export type ComparisonInWords = Partial<Omit<CompareBody, "query">> & Pick<Partial<QueryInWords>, "where">;

/** Begins an evaluation. The trials' rows and scores may be typed. */
export function evaluation<Row extends object = object, Scores extends object = object>(
  facts: EvaluationFacts,
): EvaluationLog<Row, Scores> {
  const trials: LoggedTrial<Row, Scores>[] = [];
  const log: EvaluationLog<Row, Scores> = {
    facts,
    trials,
    trial(one) {
      trials.push(one);
      return log;
    },
  };
  return log;
}

/** Loads evaluations. Throws a TypeError when two have one name, or a trial is none. */
export function loadEvaluations(...logs: readonly EvaluationLog[]): LoadedEvaluations {
  const names = logs.map(({ facts }) => facts.name);
  const twice = names.find((name, i) => name === "" || names.indexOf(name) !== i);
  if (twice === "") throw new TypeError("an evaluation needs a name");
  if (twice !== undefined)
    throw new TypeError(`two evaluations are called ${twice}: give each a name of its own`);
  const rows = new RowRefs();
  const calls = loggedCalls(logs, rows);
  const engine = createEvalEngine({ calls, rows: memoryRows(rows.rows) });
  const bodyOf = (words: Partial<QueryInWords>): EvalResultsQueryBody => {
    const body = queryBody({ evaluations: names, ...words });
    if (body.ok) return body.value;
    throw new TypeError(body.issues.map(({ path, message }) => `${path.join(" ")}: ${message}`).join("; "));
  };
  return {
    engine,
    project: LOCAL_PROJECT,
    evaluations: names,
    query: async (words = {}) => engine.query(LOCAL_PROJECT, bodyOf(words)),
    compare: async ({ where, baseline, ...how } = {}) =>
      engine.compare(LOCAL_PROJECT, {
        query: bodyOf(where === undefined ? {} : { where }),
        baseline: baseline ?? names[0] ?? "",
        ...how,
      }),
  };
}
