// A trial as ClickHouse rows: narrow columns to select, order and count by, and a separate payload.

import { jsonText } from "@assay/base";
import { isJsonObject, parseJson } from "@assay/base/internal";
import { rowIdOf } from "@assay/calls";
import type { Trial } from "@assay/eval-engine/internal";
import { scoreShape } from "@assay/eval-engine/pushed";
import { asNumber, type Json } from "@assay/query-lang";
import {
  floatBytes,
  floatText,
  isWellFormed,
  type JsonPathLimits,
  jsonPathsOf,
  quoted,
} from "./json-paths.ts";

/** A trial's position, and its version: a higher one replaces a lower one. */
export interface TrialKey {
  /** The project. */
  readonly project: string;
  /** The evaluation's root call. */
  readonly evaluation: string;
  /** The predict-and-score call. */
  readonly id: string;
  /** Grows with every write to a call that the trial is read from. */
  readonly version: bigint;
}

/** A trial's rows, each a JSON object as text. */
export interface TrialLines {
  /** For the table `trials`. */
  readonly trial: string;
  /** For the table `payloads`. */
  readonly payload: string;
}

/**
 * Bits of the column `marks`, which decide whether a query about the trial can be pushed down: paths left out of a
 * column, and text that is not Unicode.
 */
export const MARKS = { scores: 1, outputs: 2, example: 4, text: 8 } as const;

/** Where the model's output is inside the output: the column `output_at`. */
export const OUTPUT_AT = { none: 0, output: 1, model_output: 2 } as const;

/** Storage limits for scores, outputs and inline rows. */
export const COLUMN_LIMITS: { readonly scores: JsonPathLimits; readonly payload: JsonPathLimits } = {
  scores: { nodes: 1000, characters: 1024 * 1024 },
  payload: { nodes: 400, characters: 1024 * 1024 },
};

/** The rows of a trial. */
export function trialLines(place: TrialKey, trial: Trial): TrialLines {
  const output = isJsonObject(trial.output) ? trial.output : {};
  const ownScores = Object.hasOwn(output, "scores") ? output["scores"]! : null;
  const hasScores = isJsonObject(ownScores);
  const others = Object.entries(output).filter(([key]) => !(hasScores && key === "scores"));
  const scores = jsonPathsOf(hasScores ? [{ path: [], value: ownScores }] : [], COLUMN_LIMITS.scores);
  const outputs = jsonPathsOf(
    // An output that is an array has members too: `output.0`.
    isJsonObject(trial.output)
      ? others.map(([key, value]) => ({ path: [key], value }))
      : membersOf(trial.output).map(([key, value]) => ({ path: [key], value })),
    COLUMN_LIMITS.payload,
  );
  const reference = rowIdOf(trial.example) === undefined ? "" : (trial.example as string);
  const example = jsonPathsOf(
    reference === "" ? [{ path: [], value: trial.example }] : [],
    COLUMN_LIMITS.payload,
  );
  const wellFormed = [scores, outputs, example].every((nodes) => nodes.wellFormed);
  const marks =
    (scores.whole ? 0 : MARKS.scores) |
    (outputs.whole ? 0 : MARKS.outputs) |
    (example.whole ? 0 : MARKS.example) |
    (wellFormed && isWellFormed(trial.digest + reference + trial.id) ? 0 : MARKS.text);
  const digestNumber = asNumber(trial.digest);
  const columns = {
    digest: quoted(trial.digest),
    // A reference's ID may be the text of a number.
    digest_number: quoted(digestNumber === null ? "" : floatBytes(digestNumber)),
    started: startedText(trial.startedAt),
    reference: quoted(reference),
    tokens: floatOrNull(trial.facts.tokens),
    own_tokens: floatOrNull(trial.ownFacts.tokens),
    shape: quoted(JSON.stringify(scoreShape(trial.output))),
    output_at: String(outputAt(output)),
    marks: String(marks),
    scores: scores.json,
    outputs: outputs.json,
    example: example.json,
  };
  const { id, digest, facts, ownFacts } = trial;
  const payload = {
    example: quoted(jsonText(trial.example)),
    output: quoted(jsonText(trial.output)),
    facts: quoted(JSON.stringify({ id, digest, facts, ownFacts })),
    started: startedText(trial.startedAt),
  };
  return { trial: line(place, 0, columns), payload: line(place, 0, payload) };
}

/** The rows that delete a trial; on a cluster, on the shard of a digest. */
export function removalLines(place: TrialKey, digest = ""): TrialLines {
  return { trial: line(place, 1, { digest: quoted(digest) }), payload: line(place, 1, {}) };
}

/** The trial in a row of `payloads`. */
export function trialOf(row: {
  readonly example: string;
  readonly output: string;
  readonly facts: string;
  readonly started: string;
}): Trial {
  const rest = JSON.parse(row.facts) as Pick<Trial, "id" | "digest" | "facts" | "ownFacts">;
  return {
    ...rest,
    startedAt: row.started === UNKNOWN_START ? Number.NaN : Number(row.started),
    example: parseJson(row.example),
    output: parseJson(row.output),
  };
}

// Later than any valid time: a trial with no readable start comes last.
export const UNKNOWN_START = "9223372036854775807";

/** A time in the format of the column `started`. */
export function startedText(started: number): string {
  return Number.isNaN(started) ? UNKNOWN_START : BigInt(started).toString();
}

function line(
  { project, evaluation, id, version }: TrialKey,
  deleted: 0 | 1,
  columns: { readonly [name: string]: string },
): string {
  const members = Object.entries(columns).map(([name, json]) => `,"${name}":${json}`);
  return `{"project":${quoted(project)},"evaluation":${quoted(evaluation)},"id":${quoted(id)},"version":${version},"deleted":${deleted}${members.join("")}}`;
}

function floatOrNull(value: number | null): string {
  return value === null ? "null" : floatText(value);
}

function outputAt(output: { readonly [key: string]: Json }): number {
  if (Object.hasOwn(output, "output")) return OUTPUT_AT.output;
  return Object.hasOwn(output, "model_output") ? OUTPUT_AT.model_output : OUTPUT_AT.none;
}

function membersOf(value: Json): [string, Json][] {
  return Array.isArray(value) ? Object.entries(value as readonly Json[]) : [];
}
