// Evaluations that a program provides as objects, trial by trial or as a table. They become ordinary calls and dataset
// rows, so they are queried like all others.

import { checkMembers, type Members } from "@assay/base/internal";
import { type EvalEngine, engineOver } from "../execute/engine.ts";
import { type NotesSource, type QueryNote, queryNotes } from "../execute/unknown-names.ts";
import { type QueryInWords, queryBody } from "../query/query-body.ts";
import type { EvalResultsQueryBody } from "../query/request.ts";
import type { EvalResults } from "../query/response.ts";
import type { CompareBody } from "../statistics/wire/body.ts";
import type { CompareResults } from "../statistics/wire/response.ts";
import type { EvaluationLog } from "./evaluation-log.ts";
import {
  LOCAL_PROJECT,
  type LoadedEvaluation,
  loadLog,
  loggedCalls,
  RowTable,
} from "./logged-evaluations.ts";

/** An answer, with notes on names that do not exist. */
export interface NotedResults extends EvalResults {
  /** A note for each name of an evaluation or field that does not exist, and for evaluations without common rows. */
  readonly notes: readonly QueryNote[];
}

/** Evaluations in a separate engine. */
export interface LoadedEvaluations {
  /** The engine, for every question. */
  readonly engine: EvalEngine;
  /** The project of the evaluations in the engine. */
  readonly project: string;
  /** Their IDs, which are their names, in order. */
  readonly evaluations: readonly string[];
  /**
   * Answers a query written in words, about all evaluations if it names none. Throws a TypeError that explains what is
   * invalid.
   */
  query(words?: QuestionInWords): Promise<NotedResults>;
  /**
   * Compares the other evaluations with `baseline` (default: the first) on the rows that `where` selects. Throws a
   * TypeError that explains what is invalid.
   */
  compare(asked?: ComparisonInWords): Promise<CompareResults>;
}

/** Options of a comparison of all loaded evaluations. */
type ComparisonInWords = Optional<Omit<CompareBody, "query">> & Pick<QueryInWords, "where">;

/** A query, by default of all loaded evaluations. */
type QuestionInWords = Optional<QueryInWords>;

/** All members of `T`, each of which may be missing or undefined. */
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

const WORDS: Members<QueryInWords> = {
  ...{ evaluations: "any?", where: "any?", sort: "any?", limit: "any?", offset: "any?" },
};

/** Loads evaluations. Throws a TypeError if two have the same name, or a trial is invalid. */
export function loadEvaluations(...logs: readonly EvaluationLog[]): LoadedEvaluations {
  for (const log of logs)
    if (typeof log?.facts?.name !== "string" || !Array.isArray(log.trials))
      throw new TypeError(
        "each argument must be an evaluation, as evaluation() makes it, with a name that is a text",
      );
  const names = logs.map(({ facts }) => facts.name);
  const twice = names.find((name, i) => name === "" || names.indexOf(name) !== i);
  if (twice === "") throw new TypeError("an evaluation needs a name");
  if (twice !== undefined) throw new TypeError(`two evaluations are called ${twice}: give each its own name`);
  const rows = new RowTable();
  return engineOfLoaded(
    logs.map((log) => loadLog(log, rows)),
    rows,
  );
}

/** Loaded evaluations with their rows, in a separate engine. */
export function engineOfLoaded(evaluations: readonly LoadedEvaluation[], rows: RowTable): LoadedEvaluations {
  const loaded = new Map(evaluations.map((one) => [one.name, one]));
  const names = [...loaded.keys()];
  const parts = { calls: loggedCalls(loaded), rows };
  const engine = engineOver(parts, async (_, name, work) => {
    const { loggedSegment } = await import("./logged-segment.ts");
    const evaluation = loaded.get(name);
    return evaluation && loggedSegment(evaluation, work);
  });
  const source: NotesSource = {
    query: (project, body) => engine.answer(project, body),
    evaluations: async () => names.map((name) => ({ id: name, name })),
    projects: async () => [LOCAL_PROJECT],
    isThere: async (_, id) => names.includes(id),
  };
  const bodyOf = (words: QuestionInWords): EvalResultsQueryBody => {
    const body = queryBody({ ...words, evaluations: words.evaluations ?? names });
    if (body.ok) return body.value;
    throw new TypeError(body.issues.map(({ path, message }) => `${path.join(" ")}: ${message}`).join("; "));
  };
  return {
    engine,
    project: LOCAL_PROJECT,
    evaluations: names,
    async query(words = {}) {
      checkMembers<QuestionInWords>("query", words, WORDS);
      const body = bodyOf(words);
      const answer = await engine.query(LOCAL_PROJECT, body);
      return { ...answer, notes: await queryNotes(source, LOCAL_PROJECT, body) };
    },
    async compare(asked = {}) {
      if (typeof asked !== "object" || asked === null) throw new TypeError("compare must be an object");
      const { where, baseline, ...how } = asked;
      return engine.compare(LOCAL_PROJECT, {
        query: bodyOf(where === undefined ? {} : { where }),
        baseline: baseline ?? names[0] ?? "",
        ...how,
      });
    },
  };
}
