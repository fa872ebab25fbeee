// Counts the content of one evaluation in the files of a unit.

import { type GrowableArray, growableIndexes } from "@assay/base/internal";
import { canonicalJson, DIGEST_LENGTH, textDigest } from "@assay/calls/internal";
import { Dictionary } from "../collections/digest-table.ts";
import type { JsonObject } from "../json/json-text.ts";
import type { ScoreReading } from "../scores/score-values.ts";
import type { Spool, SpoolStream } from "../spool/spool.ts";
import { type EvaluationRows, RowTally } from "./evaluation-rows.ts";
import type { ImportedEvaluation, ScoreDirections } from "./imported-trial.ts";
import type { PlannedEvaluation } from "./planned-evaluation.ts";
import type { ScoreTally } from "./score-tally.ts";
import type { UnitRows } from "./unit-rows.ts";

/** The scores of a trial, and how many later trials have the same. */
interface RepeatedScores {
  readonly scores: JsonObject;
  repeats: number;
}

/** The counts of an evaluation. */
export class EvaluationTally {
  source: ImportedEvaluation | undefined;
  directions: ScoreDirections | undefined;
  rowFields: readonly string[] | undefined;
  trials = 0;
  errors = 0;
  unscored = 0;
  /** The digest of all trials so far. */
  readonly chain: Uint8Array = new Uint8Array(DIGEST_LENGTH);
  readonly rows: RowTally;
  readonly version: Uint8Array = new Uint8Array(55);
  readonly spooled: SpoolStream;
  /** Scores to count at the end, numbered by their JSON: most occur many times. */
  readonly scoreTexts: Dictionary = new Dictionary();
  repeated: RepeatedScores[] = [];
  /** Numbers of `repeated`, by `TrialSource.sameScores`; -1 if not among them. */
  readonly repeatedAt: GrowableArray<Int32Array> = growableIndexes();
  /** By path. */
  readonly scores: Map<string, ScoreTally> = new Map();
  private readonly omissions = new Map<string, number>();

  constructor(spool: Spool, rows: UnitRows) {
    [this.spooled, this.rows] = [spool.stream(), new RowTally(rows)];
  }

  /** Counts something that is left out. */
  leaveOut(what: string, times = 1): void {
    this.omissions.set(what, (this.omissions.get(what) ?? 0) + times);
  }

  /** The evaluation to write. `place` is its index among those of its unit. */
  finish(format: string, place: number, readings: ReadonlyMap<string, ScoreReading>): UnitEvaluation {
    const { rows, trials, errors, unscored } = this;
    const source = this.source!;
    const { name, model, dataset = name, startedAt } = source;
    // Evaluations of tables without models had their name as one: importing them again must find them.
    const identity = format === "table" ? { ...source, model: model ?? name } : source;
    const run = textDigest(canonicalJson([format, source.id, name, identity.model ?? null, dataset])).slice(
      0,
      10,
    );
    const content = textDigest(String.fromCharCode(...this.chain) + JSON.stringify(identity)).slice(0, 12);
    const scores = Array.from(this.scores, ([path, score]) => ({
      score,
      reading: readings.get(path) ?? "as it is",
      direction: score.keys.length === 1 ? this.directions?.get(score.keys[0]!) : undefined,
    }));
    const planned: PlannedEvaluation = {
      // Evaluations without a time are listed by id; this keeps file order.
      id: `${place.toString(36).padStart(2, "0")}${run}-${content}`,
      run,
      kind: format,
      ...{ name, model, dataset, startedAt, rows: rows.size, trials, errors, unscored },
      scores: scores.flatMap(({ score, reading, direction }) => score.planned(reading, direction)),
      leftOut: [
        ...Array.from(this.omissions, ([what, count]) => ({ what, count })),
        ...scores.flatMap(({ score, reading }) => score.leftOut(reading)),
      ],
    };
    const version = textDigest(String.fromCharCode(...this.version)).slice(0, 20);
    const rowFields = this.rowFields ?? [];
    return { source, planned, version, rows: rows.finish(), rowFields, trials: this.spooled };
  }
}

/** An evaluation with the data to write. */
export interface UnitEvaluation {
  readonly source: ImportedEvaluation;
  readonly planned: PlannedEvaluation;
  /** The digest of its rows, independent of order. */
  readonly version: string;
  readonly rows: EvaluationRows;
  /** The fields that identify them. */
  readonly rowFields: readonly string[];
  /** Its trials (`SpooledTrials`). */
  readonly trials: SpoolStream;
}
