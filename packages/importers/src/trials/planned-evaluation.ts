// A preview of an evaluation that an import would write, for the user.

/** A score of an evaluation. */
export interface PlannedScore {
  /** Its path, as in queries after `scores.`. */
  readonly path: string;
  /** The type of its values; `mixed` for several types. */
  readonly type: "boolean" | "number" | "text" | "mixed";
  /** The number of trials that have it. */
  readonly trials: number;
  /** The mean over the trials that have it, counting true as 1; undefined for texts. */
  readonly mean: number | undefined;
  /** The rule by which a trial passes; undefined if not given. */
  readonly passes: string | undefined;
  /** Which of its values are better; undefined if the file does not state it. */
  readonly direction: "higher" | "lower" | undefined;
}

/** An evaluation to write. */
export interface PlannedEvaluation {
  /** The id of its root call. The same content gives the same id. */
  readonly id: string;
  /** A part of the ids of all imports of this run, regardless of their content: after two characters, before a `-`. */
  readonly run: string;
  /** The format of its file, as in `--from`. */
  readonly kind: string;
  /** A readable name. */
  readonly name: string;
  /** The model, if the file names it. */
  readonly model: string | undefined;
  /** The name of the dataset, or a substitute. */
  readonly dataset: string;
  /** ISO 8601, if in the file. */
  readonly startedAt: string | undefined;
  /** The number of rows with a trial. */
  readonly rows: number;
  /** The number of trials. */
  readonly trials: number;
  /** Trials that ended with an error. */
  readonly errors: number;
  /** Trials without any score. */
  readonly unscored: number;
  /** Its scores, in file order. */
  readonly scores: readonly PlannedScore[];
  /** The kinds of omitted content, with counts. */
  readonly leftOut: readonly { readonly what: string; readonly count: number }[];
}
