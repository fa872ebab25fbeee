// What a person can say that a score is, apart from how it is read: a command line names it in its help.

/** What a person can say that a score is: `--as accuracy=number`. */
export const SCORE_TYPES = ["boolean", "number", "decimal-comma", "text"] as const;

/** The type that the user gives a score. Of `number` a comma sets thousands apart. */
export type ScoreType = (typeof SCORE_TYPES)[number];
