// An evaluation that a program builds trial by trial.

import { checkMembers } from "@assay/base/internal";

/** The description of an evaluation. */
export interface EvaluationFacts {
  /** Its name in questions, unique among evaluations loaded together. */
  readonly name: string;
  /** The model that answered. */
  readonly model?: string;
  /** The dataset; evaluations of the same dataset are compared. Default `dataset`. */
  readonly dataset?: string;
}

/** One answer to a row, with its scores. All values are JSON, and are copied when they are loaded. */
export interface LoggedTrial<Row extends object = object, Scores extends object = object> {
  /** The fields of the dataset only. Rows with equal content are the same row in every evaluation. */
  readonly row: Row;
  /** The model's answer. */
  readonly output?: unknown;
  /** Scores by scorer: numbers, booleans, texts, or objects of these. Null is a missing value. */
  readonly scores?: Scores;
  /** Latency in seconds. */
  readonly latency?: number | null | undefined;
  /** Tokens of prompts and answers, over all models called. */
  readonly tokens?: number | null | undefined;
  /**
   * The error that ended the trial instead of an answer. Such a trial has no scores, which does not count as failing.
   */
  readonly error?: string | null | undefined;
}

/** An evaluation under construction. */
export interface EvaluationLog<Row extends object = object, Scores extends object = object> {
  /** Its description. */
  readonly facts: EvaluationFacts;
  /** Its trials, in order. */
  readonly trials: readonly LoggedTrial<Row, Scores>[];
  /** Adds a trial. A row may have several. */
  trial(trial: LoggedTrial<Row, Scores>): EvaluationLog<Row, Scores>;
}

/** Starts an evaluation. You can type the rows and scores of its trials. Throws a TypeError for an unknown fact. */
export function evaluation<Row extends object = object, Scores extends object = object>(
  facts: EvaluationFacts,
): EvaluationLog<Row, Scores> {
  checkMembers("evaluation", facts, { name: "any", model: "any?", dataset: "any?" });
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
