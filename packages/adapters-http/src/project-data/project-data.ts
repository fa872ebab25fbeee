// The data of a project as the command and other processes reach it: what it holds, and how more gets in.

import type { CountedEvaluation, EvaluationChoice, ScoreDirections } from "@assay/eval-engine";

/** What lines of JSON hold: calls, or the dataset rows that they refer to. */
export type LineKind = "calls" | "rows";

/** A line that could not be used. */
export interface BadLine {
  /** Counted from 1. */
  readonly line: number;
  /** What is wrong with it. */
  readonly reason: string;
}

/** What an import did. */
export interface ImportReport {
  /** Lines that are not blank. */
  readonly lines: number;
  /** Calls or rows that are new, or other than they were. */
  readonly changed: number;
  /** How many lines were bad. */
  readonly bad_lines: number;
  /** The first of them. */
  readonly bad: readonly BadLine[];
  /**
   * Whether an evaluation is in what was read: a trial, a call that has trials, or one that a trial made. False for
   * dataset rows.
   */
  readonly in_evaluations: boolean;
}

/** Where a project's data is. When the storage itself fails, it throws a `Fault`. */
export interface ProjectData {
  /** The evaluations of a project, by start: all of them, or those that are chosen (`chooseEvaluations`). */
  evaluations(project: string, choice?: EvaluationChoice): Promise<readonly CountedEvaluation[]>;
  /**
   * Writes what lines of JSON hold, one call or row each; an existing id is replaced, and a bad line loses nothing but
   * itself. What was good is on disk when it resolves.
   */
  importLines(project: string, kind: LineKind, bytes: AsyncIterable<Uint8Array>): Promise<ImportReport>;
  /**
   * Lines of JSON that `importLines` makes the same of: all that the project has, or what belongs to some evaluations.
   * Whole lines in each piece. Throws a `missing` fault, before the first, when one of the evaluations is not there.
   */
  exportLines(
    project: string,
    kind: LineKind,
    evaluations: readonly string[] | undefined,
  ): AsyncIterable<Uint8Array>;
  /** Which values of its scores are better. Absent where that cannot be kept. */
  readonly directions?: ScoreDirections;
}
