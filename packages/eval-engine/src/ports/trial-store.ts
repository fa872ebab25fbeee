import type { Cancellation } from "@assay/base";
import type { EvalQuery } from "../query/request.ts";
import type { Trial } from "../trials/trials.ts";

/** A query for the trials of a project. */
export interface TrialQuery {
  /** `<entity>/<project>`. */
  readonly project: string;
  /** The query, with at least one evaluation. */
  readonly query: EvalQuery;
  /** Aborted if the answer is no longer needed: the promise then rejects with a `cancelled` fault. */
  readonly signal?: Cancellation | undefined;
}

/** The page of a query. */
export interface RowPage {
  /** The number of selected rows, before paging. */
  readonly total: number;
  /** The digests of the page's rows, in order; empty if the query does not request rows. */
  readonly digests: readonly string[];
}

/** A trial with its evaluation. */
export interface EvaluationTrial {
  /** The evaluation's root call. */
  readonly evaluation: string;
  /** The trial. */
  readonly trial: Trial;
}

/** The type of a score's leaf. */
export type ScoreLeafType = "boolean" | "number" | "string";

/** The trials of one evaluation whose scores have the same leaves in the same order. */
export interface ShapeCount {
  /** The leaves of their scores, in order: the keys, starting with the scorer, and the type of the value. */
  readonly leaves: readonly (readonly [keys: readonly string[], type: ScoreLeafType])[];
  /** The number of trials. */
  readonly trials: number;
}

/** Counts of one evaluation's trials in the rows of a summary. */
export interface TrialCounts {
  /** The evaluation's root call. */
  readonly evaluation: string;
  /**
   * Shapes in the order in which a walk over the trials, by row digest, first meets them. Empty if no trial is
   * counted.
   */
  readonly shapes: readonly ShapeCount[];
  /**
   * By leaf (its keys as JSON): numbers with the same exact sum as the leaf's numbers, and the count of true values.
   */
  readonly sums: ReadonlyMap<string, { readonly numbers: readonly number[]; readonly passTrue: number }>;
  /** The count of trials that report tokens, and numbers with the same exact sum as their tokens. */
  readonly tokens: { readonly trials: number; readonly numbers: readonly number[] };
}

/** The size of the query's evaluations, and whether the database can answer. */
export interface TrialSize {
  /** The number of trials of the requested evaluations. */
  readonly trials: number;
  /** Why the database cannot answer exactly, as the end of a sentence; undefined if it can. */
  readonly unfit: string | undefined;
}

/** The trials of one query. Methods share what they query of the database. */
export interface QueriedTrials {
  /** The number of trials, and whether `page`, `countSummaryRows` and `counts` are exact. */
  size(): Promise<TrialSize>;

  /** The page of selected rows: filtered, intersected, sorted, cut. */
  page(): Promise<RowPage>;

  /** The number of rows in the summary: filtered, and intersected by `summaryIntersect`. */
  countSummaryRows(): Promise<number>;

  /** The counts over the summary's rows: one entry for each requested evaluation that has a trial there. */
  counts(): Promise<readonly TrialCounts[]>;

  /** All trials of the rows with these digests in the requested evaluations, in any order. */
  trials(digests: readonly string[]): Promise<readonly EvaluationTrial[]>;
}

/**
 * Trials in a database that evaluates queries itself. It selects, sorts and counts as docs/reference/semantics.md
 * defines, over the trials that `readTrial` makes of the calls; the engine builds the response. Throws a `Fault` if
 * the database fails.
 */
export interface TrialStore {
  /** The trials of a query. It does not query the database until one of its methods is called. */
  open(of: TrialQuery): QueriedTrials;
}
