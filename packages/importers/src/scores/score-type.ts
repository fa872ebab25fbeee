// The types that a user can assign to a score, separate from the reading code: a command line shows them in its help.

/** The types that a user can assign to a score: `--as accuracy=number`. */
export const SCORE_TYPES = ["boolean", "number", "decimal-comma", "text"] as const;

/** The type that the user gives a score. In a `number`, a comma separates thousands. */
export type ScoreType = (typeof SCORE_TYPES)[number];
