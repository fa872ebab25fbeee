// The data that importers read from files of every format: evaluations and their trials.

import type { Json } from "@assay/base";
import type { JsonObject } from "../json/json-text.ts";
import type { ScoreTexts } from "../scores/score-values.ts";
import type { TrialText } from "./trial-text.ts";

/** One run of one model over a dataset, as read from a file. */
export interface ImportedEvaluation {
  /** How its trials refer to it; unique among the files read together. */
  readonly id: string;
  /** A readable name. */
  readonly name: string;
  readonly model?: string | undefined;
  /** The name of the dataset or task. */
  readonly dataset?: string | undefined;
  /** ISO 8601, if in the file. */
  readonly startedAt?: string | undefined;
  /** Further data that distinguishes this run: settings, tags, the tool's own aggregates. */
  readonly attributes?: JsonObject | undefined;
  /** How to read texts among its scores. Default `words`. Must be known before its first trial. */
  readonly scoreTexts?: ScoreTexts | undefined;
  /** Whether its file is known to use decimal commas. */
  readonly decimalComma?: boolean | undefined;
}

/** Which values of scores are better, by scorer, if a file states it. */
export type ScoreDirections = ReadonlyMap<string, "higher" | "lower">;

/** One answer to one row, with its scores. */
export interface ImportedTrial {
  /** The `id` of its evaluation. */
  readonly evaluation: string;
  /** Only the dataset's fields: input, expected, choices. Never an answer, a score or a time. */
  readonly row: JsonObject;
  /**
   * The identity of the row in every file: the tool's own id, or the part of `row` that is the question. Default: all
   * of `row`.
   */
  readonly rowKey?: Json | undefined;
  /** The digest of the row, if the file has it: rows of an export keep theirs. Takes precedence over `rowKey`. */
  readonly rowDigest?: string | undefined;
  /** The number of this repetition, from 0. Default: order in the file. */
  readonly repetition?: number | undefined;
  readonly output: Json;
  /** By scorer. Missing values are null or absent. */
  readonly scores: JsonObject;
  /** Why the trial has no answer. */
  readonly error?: string | undefined;
  readonly latencySeconds?: number | undefined;
  readonly totalTokens?: number | undefined;
  /** Explanations, cost and anything else that is not row, answer or score. */
  readonly attributes?: JsonObject | undefined;
}

/** A trial that is written directly as JSON, and what else is known about it. */
export interface TrialSource extends Pick<ImportedTrial, "evaluation" | "repetition" | "scores" | "error"> {
  /** The ordinal of its scores among different ones; -1 if unknown. */
  readonly sameScores: number;
  /** Writes the members of the trial. Members equal to those of the previous trial can be copied from it. */
  write(text: TrialText, before: TrialText): void;
  /** Whether it has the same row as the previous trial. */
  isSameRow(text: TrialText, before: TrialText): boolean;
  /** The identity of its row; `rowKey` is the field to use, if given. */
  rowOf(rowKey: string | undefined): TrialRow;
}

/** The identity of a row, in UTF-8; valid until the next. */
export interface TrialRow {
  readonly digest: Uint8Array;
  /** The digest of its content. */
  readonly content: Uint8Array;
}

/** Events while files are read: evaluations and trials in any order, and skipped content. */
export type ImportEvent =
  | {
      readonly kind: "evaluation";
      readonly evaluation: ImportedEvaluation;
      /** Separate from the evaluation, whose id depends on all of its content: these are stored with the project. */
      readonly directions?: ScoreDirections | undefined;
      /** The fields that identify its rows. */
      readonly rowFields?: readonly string[] | undefined;
    }
  | { readonly kind: "trials"; readonly trials: readonly ImportedTrial[] }
  /** The same trials as JSON. Process them one by one: each becomes invalid when the next is requested. */
  | { readonly kind: "texts"; readonly trials: Iterable<TrialSource> }
  /**
   * A remark for the user, counted: something outside of any evaluation was skipped, or how columns were understood.
   */
  | { readonly kind: "note"; readonly note: string };

/** Makes an event for an evaluation. */
export function evaluationEvent(
  evaluation: ImportedEvaluation,
  directions?: ScoreDirections,
  rowFields?: readonly string[],
): ImportEvent {
  return { kind: "evaluation", evaluation, directions, rowFields };
}

/** Makes an event for a trial. */
export function trialEvent(trial: ImportedTrial): ImportEvent {
  return { kind: "trials", trials: [trial] };
}
