// Chooses the execution that answers a query: small evaluations are answered in this process, whose columns are faster
// than a request to a database; large ones in the database. The answer is the same.

import { bad, type Cancellation, ok, type Result } from "@assay/base";
import type { FieldPath } from "@assay/query-lang";
import type { EvalExecution } from "../ports/execution.ts";
import type { TrialStore } from "../ports/trial-store.ts";
import { type EvalQuery, readRequest } from "../query/request.ts";
import type { EvalStatistics } from "../statistics/execution.ts";
import { LATENCY } from "../statistics/measures/builtin-metrics.ts";
import type { RequestedData } from "../statistics/rows/selected-rows.ts";
import { requestedSelection } from "../statistics/statistics.ts";
import type { EvalViews } from "../view/execution.ts";

/** The executions to choose from. */
export interface ChosenExecutionParts {
  /** Reports the size of each query, and answers large ones. */
  readonly trials: TrialStore;
  /** Answers in this process, over the same calls and rows. */
  readonly inProcess: EvalExecution & EvalStatistics & EvalViews;
  /** Pushes queries down to `trials`. */
  readonly pushed: EvalExecution & EvalStatistics;
  /** The most trials that a query may involve to be answered in this process. Default 50,000; 0 for none. */
  readonly inProcessTrials?: number;
}

/** Where a query is answered, and why. */
export interface ExecutionChoice {
  /** In this process or in the database. */
  readonly where: "process" | "database";
  /** The reason, as a sentence. */
  readonly why: string;
  /** The number of trials of the requested evaluations. */
  readonly trials: number;
}

/** An execution that chooses, and can report its choice. Questions of a page are always answered in this process. */
export interface ChosenExecution extends EvalExecution, EvalStatistics, EvalViews {
  /** Where the query would be answered, or the issues of the body, as `answer` reports them. */
  explain(project: string, body: unknown): Promise<Result<ExecutionChoice>>;
}

/** Whether a database has no column for a measure: latency is derived from calls. */
function isLatency([first, ...rest]: FieldPath): boolean {
  return first === LATENCY && rest.length === 0;
}

/** A query that reads the same as a statistics question: its fields as sort keys, and every score. */
function withReads(query: EvalQuery, { fields }: RequestedData): EvalQuery {
  const sortBy = fields.map((path) => ({ path, descending: false, evaluation: null, difference: false }));
  return { ...query, sortBy, summary: true };
}

/** Answers small evaluations in this process and large ones in the database. */
export function chosenExecution(parts: ChosenExecutionParts): ChosenExecution {
  const { trials, inProcess, pushed, inProcessTrials = 50_000 } = parts;

  const choose = async (
    project: string,
    query: EvalQuery,
    signal: Cancellation | undefined,
  ): Promise<ExecutionChoice> => {
    if (query.evaluations.length === 0)
      return { where: "process", why: "no evaluation is requested", trials: 0 };
    const size = await trials.open({ project, query, signal }).size();
    if (size.unfit !== undefined) return { where: "process", why: size.unfit, trials: size.trials };
    const fits = size.trials <= inProcessTrials;
    return {
      where: fits ? "process" : "database",
      why: `${size.trials} trials are ${fits ? "within" : "above"} the limit of ${inProcessTrials} for answers in process`,
      trials: size.trials,
    };
  };

  return {
    async answer(project, body, options = {}) {
      const query = readRequest(body);
      if (!query.ok) return bad(query.issues);
      const { where } = await choose(project, query.value, options.signal);
      return (where === "process" ? inProcess : pushed).answer(project, body, options);
    },
    async answerStatistics(question, project, body, options = {}) {
      const asked = requestedSelection(question, body);
      if (!asked.ok) return bad(asked.issues);
      const { query, requested } = asked.value;
      const readable = !requested.sliceFields && !requested.measures.some(isLatency);
      const { where } = readable
        ? await choose(project, withReads(query, requested), options.signal)
        : { where: "process" };
      return (where === "process" ? inProcess : pushed).answerStatistics(question, project, body, options);
    },
    answerView: (question, project, body, options) => inProcess.answerView(question, project, body, options),
    async explain(project, body) {
      const query = readRequest(body);
      return query.ok ? ok(await choose(project, query.value, undefined)) : bad(query.issues);
    },
  };
}
