// What every kind of file becomes, and what a kind has to say for itself.

import type { Json } from "@assay/base";
import type { FileHead } from "./file-head.ts";
import type { ImportFile } from "./import-file.ts";
import type { JsonObject } from "./json-text.ts";
import type { TrialText } from "./trial-text.ts";

/** One run of one model over a dataset, as a file tells it. */
export interface ImportedEvaluation {
  /** What its trials name it by; unique among the files that are read together. */
  readonly id: string;
  /** What a person calls it. */
  readonly name: string;
  readonly model?: string | undefined;
  /** The dataset's name, or the task's. */
  readonly dataset?: string | undefined;
  /** ISO 8601, when the file says. */
  readonly startedAt?: string | undefined;
  /** What else tells this run from others: settings, tags, the tool's own aggregates. */
  readonly attributes?: JsonObject | undefined;
  /** How texts among its scores are read; `words` when not given. Known only before its first trial. */
  readonly scoreTexts?: ScoreTexts | undefined;
  /** Whether numbers of its file are known to have a comma for a point. */
  readonly decimalComma?: boolean | undefined;
}

/** Which values of scores are better, by scorer, where a file says it. */
export type SaidDirections = ReadonlyMap<string, "higher" | "lower">;

/** One answer to one row, and how it was scored. */
export interface ImportedTrial {
  /** The `id` of its evaluation. */
  readonly evaluation: string;
  /** Only the dataset's fields: input, expected, choices. Never an answer, a score or a time. */
  readonly row: JsonObject;
  /**
   * What tells the row from others, in every file where it occurs: what the tool calls it, or the part of `row` that
   * is the question. Without it, all of `row`.
   */
  readonly rowKey?: Json | undefined;
  /** The digest of the row, where the file has it: rows of an export keep theirs. Stands before `rowKey`. */
  readonly rowDigest?: string | undefined;
  /** Which repetition this is, from 0; without it, the order of the file. */
  readonly repetition?: number | undefined;
  readonly output: Json;
  /** By scorer. What has no value is null, or not there. */
  readonly scores: JsonObject;
  /** What the trial ended with, when that is not an answer. */
  readonly error?: string | undefined;
  readonly latencySeconds?: number | undefined;
  readonly totalTokens?: number | undefined;
  /** Explanations, cost and whatever else is neither row, nor answer, nor score. */
  readonly attributes?: JsonObject | undefined;
}

/** A trial that is written as JSON without being an object before: what else is known of it. */
export interface TrialSource extends Pick<ImportedTrial, "evaluation" | "repetition" | "scores" | "error"> {
  /** The ordinal of its scores among different ones; -1 when it is not known. */
  readonly sameScores: number;
  /** Writes the members of the trial, of which those that are the same as in the trial before can be taken from there. */
  write(text: TrialText, before: TrialText): void;
  /** Whether its row is that of the trial before. */
  isSameRow(text: TrialText, before: TrialText): boolean;
  /** What tells its row; `rowKey` is the field that does, where one is asked for. */
  rowOf(rowKey: string | undefined): TrialRow;
}

/** What tells a row. */
export interface TrialRow {
  readonly digest: string;
  /** The first characters of the digest of its content. */
  readonly content: string;
}

/** What is read from files: evaluations and trials in any order, and what could not be taken. */
export type ImportEvent =
  | {
      readonly kind: "evaluation";
      readonly evaluation: ImportedEvaluation;
      /** Beside the evaluation, whose id is made of all that it says: these are kept with the project. */
      readonly directions?: SaidDirections | undefined;
    }
  | { readonly kind: "trials"; readonly trials: readonly ImportedTrial[] }
  /** The same trials as JSON, which are to be taken one by one: each is gone when the next one is asked for. */
  | { readonly kind: "texts"; readonly trials: Iterable<TrialSource> }
  /** Something of no evaluation that was passed over, or how columns were understood: said to the person, counted. */
  | { readonly kind: "note"; readonly note: string };

/** What is asked of an import beside the files. */
export interface ReadOptions {
  /** The column that says which evaluation a record belongs to. */
  readonly evaluation?: string | undefined;
  /** The column or field that tells rows apart. */
  readonly rowKey?: string | undefined;
  /** The columns or scorers that are scores; all others are not. */
  readonly scores?: readonly string[] | undefined;
  /** The column that holds the answer. */
  readonly output?: string | undefined;
}

/**
 * How the texts among scores are read: as words and numbers where all are some (`words`), the same where everything is a
 * text (`cells`), as Inspect AI counts letters, words and numbers together (`letters`), or as they are (`text`).
 */
export type ScoreTexts = "words" | "cells" | "letters" | "text";

/** Files by what only makes sense together. */
export type FileGroups = readonly (readonly ImportFile[])[];

/** A kind of file. */
export interface Importer {
  /** What `--from` calls it. */
  readonly name: string;
  /** What a person calls it. */
  readonly title: string;
  /** Whether a file is of this kind, by what it begins with. */
  recognises(head: FileHead): boolean;
  /** The files that only make sense together; each by itself when there is no such function. */
  units?(files: readonly ImportFile[]): FileGroups | Promise<FileGroups>;
  /** Reads files that belong together. Throws `Unreadable`, after whatever it gave. */
  read(files: readonly ImportFile[], options: ReadOptions): AsyncGenerator<ImportEvent>;
}

/** An event that holds an evaluation. */
export function evaluationEvent(evaluation: ImportedEvaluation, directions?: SaidDirections): ImportEvent {
  return { kind: "evaluation", evaluation, directions };
}

/** An event that holds a trial. */
export function trialEvent(trial: ImportedTrial): ImportEvent {
  return { kind: "trials", trials: [trial] };
}
