// Which execution answers a query: small evaluations are answered in this process, whose columns are faster than any
// way to a database; large ones where they are. The answer is the same.

import { bad, ok, type Result } from "@assay/base";
import type { EvalExecution } from "./ports/execution.ts";
import type { EvalStatistics } from "./ports/statistics.ts";
import type { TrialStore } from "./ports/trial-store.ts";
import { type EvalQuery, readRequest } from "./request.ts";
import type { Cancellation } from "./work.ts";

/** What to choose between. */
export interface ChosenExecutionParts {
  /** Where large evaluations are answered; asked for the size of each query's. */
  readonly trials: TrialStore;
  /** Answers in this process, over the same calls and rows. */
  readonly inProcess: EvalExecution & EvalStatistics;
  /** Pushes down to `trials`. */
  readonly pushed: EvalExecution;
  /** Trials up to which a query is answered in this process. Default 50,000; 0 for none. */
  readonly inProcessTrials?: number;
}

/** Where a query is answered, and why. */
export interface ExecutionChoice {
  /** In this process or in the database. */
  readonly where: "process" | "database";
  /** Why, as a sentence. */
  readonly why: string;
  /** Trials of the requested evaluations. */
  readonly trials: number;
}

/** An execution that chooses, and says how. Questions of statistics are answered in this process, whatever their size. */
export interface ChosenExecution extends EvalExecution, EvalStatistics {
  /** Where the query would be answered; or what is wrong with the body, as `answer` says it. */
  explain(project: string, body: unknown): Promise<Result<ExecutionChoice>>;
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
      return { where: "process", why: "no evaluation is asked for", trials: 0 };
    const size = await trials.size({ project, query, signal });
    if (size.unfit !== undefined) return { where: "process", why: size.unfit, trials: size.trials };
    const fits = size.trials <= inProcessTrials;
    return {
      where: fits ? "process" : "database",
      why: `${size.trials} trials are ${fits ? "no more" : "more"} than the ${inProcessTrials} that are answered in process`,
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
    answerStatistics: (question, project, body, options) =>
      inProcess.answerStatistics(question, project, body, options),
    async explain(project, body) {
      const query = readRequest(body);
      return query.ok ? ok(await choose(project, query.value, undefined)) : bad(query.issues);
    },
  };
}
