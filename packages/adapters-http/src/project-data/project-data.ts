// The data of a project, as commands and other processes access it: its contents, and imports.

import type { CountedEvaluation, EvaluationChoice, ScoreDirections } from "@assay/eval-engine";

/** The content of JSON lines: calls, or the dataset rows that they refer to. */
export type LineKind = "calls" | "rows";

/** An invalid line. */
export interface BadLine {
  /** Counted from 1. */
  readonly line: number;
  /** What is wrong with it. */
  readonly reason: string;
}

/** The result of an import. */
export interface ImportReport {
  /** Lines that are not blank. */
  readonly lines: number;
  /** The number of new or changed calls or rows. */
  readonly changed: number;
  /** The number of bad lines. */
  readonly bad_lines: number;
  /** The first of them. */
  readonly bad: readonly BadLine[];
  /**
   * Whether the input contained an evaluation: a trial, a call with trials, or a child of a trial. False for dataset
   * rows.
   */
  readonly in_evaluations: boolean;
}

/** A project's data. Throws a `Fault` when the storage itself fails. */
export interface ProjectData {
  /** The evaluations of a project, by start: all of them, or a choice (`chooseEvaluations`). */
  evaluations(project: string, choice?: EvaluationChoice): Promise<readonly CountedEvaluation[]>;
  /**
   * Imports JSON lines, one call or row each. An existing ID is replaced, and a bad line is skipped. The valid lines
   * are on disk when it resolves.
   */
  importLines(project: string, kind: LineKind, bytes: AsyncIterable<Uint8Array>): Promise<ImportReport>;
  /**
   * JSON lines from which `importLines` recreates the same: everything in the project, or what belongs to some
   * evaluations. Each chunk has whole lines. Throws a `missing` fault, before the first chunk, if one of the
   * evaluations does not exist.
   */
  exportLines(
    project: string,
    kind: LineKind,
    evaluations: readonly string[] | undefined,
  ): AsyncIterable<Uint8Array>;
  /** The directions of scores. Absent if they cannot be stored. */
  readonly directions?: ScoreDirections;
}
