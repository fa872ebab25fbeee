import type { Cancellation } from "@assay/base";
import type { EvalQuery } from "../query/request.ts";
import type { Trial } from "../trials/trials.ts";

/** A project's trials where a query can be pushed down to. */
export interface TrialQuery {
  /** `<entity>/<project>`. */
  readonly project: string;
  /** The query, with at least one evaluation. */
  readonly query: EvalQuery;
  /** Aborted when the answer is no longer wanted: the promise then rejects with a `cancelled` fault. */
  readonly signal?: Cancellation | undefined;
}

/** The page of a query. */
export interface RowPage {
  /** Rows that the query keeps, before paging. */
  readonly total: number;
  /** Digests of the page's rows, in order; empty when the query does not ask for rows. */
  readonly digests: readonly string[];
}

/** A trial and the evaluation that it is of. */
export interface EvaluationTrial {
  /** The evaluation's root call. */
  readonly evaluation: string;
  /** The trial. */
  readonly trial: Trial;
}

/** The type of a score's leaf: boolean, number or text. */
export type ScoreLeafType = "boolean" | "number" | "string";

/** Trials of one evaluation whose scores have the same leaves in the same order. */
export interface ShapeCount {
  /** The leaves of each such trial's scores, in order: keys, the first the scorer, and the type of the value. */
  readonly leaves: readonly (readonly [keys: readonly string[], type: ScoreLeafType])[];
  /** How many trials. */
  readonly trials: number;
}

/** What is counted of one evaluation's trials in the rows of a summary. */
export interface TrialCounts {
  /** The evaluation's root call. */
  readonly evaluation: string;
  /** Shapes in the order in which a walk over the trials, rows by digest, first meets them. Empty when no trial is counted. */
  readonly shapes: readonly ShapeCount[];
  /**
   * By leaf (its keys as JSON): numbers whose exact sum is that of the leaf's numbers, and how many values are true.
   */
  readonly sums: ReadonlyMap<string, { readonly numbers: readonly number[]; readonly passTrue: number }>;
  /** Trials that report tokens, and numbers whose exact sum is theirs. */
  readonly tokens: { readonly trials: number; readonly numbers: readonly number[] };
}

/** How much there is to answer from, and whether the database can. */
export interface TrialSize {
  /** Trials of the requested evaluations. */
  readonly trials: number;
  /** Why the database cannot answer exactly, as the end of a sentence; undefined when it can. */
  readonly unfit: string | undefined;
}

/** The trials of one query: what several of these ask of the database, they ask once. */
export interface QueriedTrials {
  /** How many trials there are, and whether `page`, `countSummaryRows` and `counts` give the exact answer. */
  size(): Promise<TrialSize>;

  /** The rows that the query keeps: filtered, intersected, in order, cut to the page. */
  page(): Promise<RowPage>;

  /** How many rows the summary is over: filtered, and intersected by `summaryIntersect`. */
  countSummaryRows(): Promise<number>;

  /** What is counted over the summary's rows: one entry for each requested evaluation that has a trial there. */
  counts(): Promise<readonly TrialCounts[]>;

  /** All trials of the rows with these digests in the requested evaluations, in any order. */
  trials(digests: readonly string[]): Promise<readonly EvaluationTrial[]>;
}

/**
 * Trials in a database that evaluates queries itself. It selects, orders and counts as docs/reference/semantics.md says, for the
 * trials that `readTrial` makes of the calls; the engine writes the response. When the database fails, it throws a
 * `Fault`.
 */
export interface TrialStore {
  /** The trials of a query. The database is asked nothing before one of them is asked for. */
  open(of: TrialQuery): QueriedTrials;
}
