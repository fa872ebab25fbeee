// An evaluation that a program puts together trial by trial.

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
  /** The dataset's fields only. Rows with the same content are the same row in every evaluation. */
  readonly row: Row;
  /** What the model answered. */
  readonly output?: unknown;
  /** By scorer: numbers, true or false, texts, or objects of these. Null is a missing value. */
  readonly scores?: Scores;
  /** In seconds. */
  readonly latency?: number | null | undefined;
  /** Of all models that were asked, prompts and answers together. */
  readonly tokens?: number | null | undefined;
  /** The error that ended the trial in place of an answer: it then has no scores, which does not count as a failure. */
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
