// The second of an import's two readings: the calls and dataset rows that stores take. The root call of an evaluation
// comes last, after everything below it: whatever breaks off before leaves no evaluation behind, and importing again
// writes the same calls under the same ids.

import { Fault, type Json } from "@assay/base";
import { keepNumberText } from "@assay/base/internal";
import type { Call, DatasetRow } from "@assay/calls";
import { printFieldPath } from "@assay/query-lang/internal";
import { DigestTable } from "./digest-table.ts";
import type { ImportedTrial } from "./importer.ts";
import { isoTime } from "./iso-time.ts";
import { type JsonObject, moveNumber, present } from "./json-text.ts";
import { type PassRule, passName } from "./pass-rule.ts";
import { readScore, readScores, scoreLeaves } from "./score-values.ts";
import { type ImportUnit, isRuleFor, isWanted, trialRowDigest, type UnitEvaluation } from "./survey.ts";
import { Unreadable } from "./unreadable.ts";

/** Calls and dataset rows that are written together, the rows first. */
export interface ImportBatch {
  /** `<entity>/<project>`. */
  readonly project: string;
  /** Rows that the calls refer to. */
  readonly rows: readonly DatasetRow[];
  /** Trials, and last of each evaluation its root. */
  readonly calls: readonly Call[];
  /** Trials in it. */
  readonly trials: number;
}

/** Where an import is written to. */
export interface ImportTarget {
  /** `<entity>/<project>`. */
  readonly project: string;
  /** Whether each dataset has a project of its own, in the same entity; false when not given. */
  readonly projectPerDataset?: boolean;
}

// Trials that are written together: enough that a batch's fixed cost does not show, and few enough to be held.
const BATCH = 2048;
const BATCH_SIZE = 4 * 1024 * 1024;
// Trials of a row differ by microseconds in their times.
const MOST_REPETITIONS = 1e9;

/** What is written, as `ImportPlan.batches` has it. */
export async function* importBatches(
  units: readonly ImportUnit[],
  target: ImportTarget,
): AsyncGenerator<ImportBatch> {
  for (const unit of units) yield* unitBatches(unit, target);
}

/** The project that an evaluation of a dataset is written to. */
export function projectOf(dataset: string, { project, projectPerDataset = false }: ImportTarget): string {
  return projectPerDataset ? `${project.slice(0, project.indexOf("/"))}/${nameInRef(dataset)}` : project;
}

async function* unitBatches(unit: ImportUnit, target: ImportTarget): AsyncGenerator<ImportBatch> {
  const writers = new Map<string, EvaluationWriter>();
  for (const [id, evaluation] of unit.evaluations) {
    const project = projectOf(evaluation.planned.dataset, target);
    writers.set(id, new EvaluationWriter(unit, evaluation, project));
  }
  try {
    for await (const event of unit.read()) {
      if (event.kind !== "trial" || unit.again.has(event.trial.evaluation)) continue;
      const writer = writers.get(event.trial.evaluation);
      if (writer === undefined) throw changed(unit);
      writer.add(event.trial);
      if (writer.isFull) yield writer.batch();
    }
  } catch (error) {
    throw error instanceof Unreadable ? changed(unit) : error;
  }
  for (const writer of writers.values()) {
    if (!writer.isWhole) throw changed(unit);
    yield writer.lastBatch();
  }
}

function changed({ files }: ImportUnit): Fault {
  const paths = files.map(({ path }) => path).join(", ");
  return new Fault(
    "conflict",
    `${paths}: changed while it was imported; nothing of its evaluations is listed`,
  );
}

class EvaluationWriter {
  private readonly unit: ImportUnit;
  private readonly evaluation: UnitEvaluation;
  private readonly project: string;
  private readonly dataset: string;
  /** Repetitions of each row so far. */
  private readonly repetitions = new DigestTable(1);
  private position = 0;
  private rows: DatasetRow[] = [];
  private calls: Call[] = [];
  private size = 0;

  constructor(unit: ImportUnit, evaluation: UnitEvaluation, project: string) {
    this.unit = unit;
    this.evaluation = evaluation;
    this.project = project;
    const { dataset } = evaluation.planned;
    this.dataset = `weave:///${project}/object/${nameInRef(dataset)}:${evaluation.version}`;
  }

  get isFull(): boolean {
    return this.calls.length >= BATCH || this.size >= BATCH_SIZE;
  }

  get isWhole(): boolean {
    return this.position === this.evaluation.planned.trials;
  }

  /** Adds a trial's call, and its row when it is the row's first. */
  add(trial: ImportedTrial): void {
    const digest = trialRowDigest(trial, this.unit.options);
    const known = this.repetitions.at(digest);
    const before = known[0]!;
    known[0] = before + 1;
    const ref = `${this.dataset}/attr/rows/id/${digest}`;
    if (before === 0) {
      this.rows.push({ digest, val: trial.row, ref });
      this.size += sizeOf(trial.row);
    }
    this.calls.push(this.trialCall(trial, ref, repetitionOf(trial) ?? before));
    this.size += sizeOf(trial.output) + sizeOf(trial.attributes ?? null);
  }

  batch(): ImportBatch {
    const { project, rows, calls } = this;
    [this.rows, this.calls, this.size] = [[], [], 0];
    return { project, rows, calls, trials: calls.length };
  }

  /** What is left, and the call that makes an evaluation of it all. */
  lastBatch(): ImportBatch {
    const { calls, ...batch } = this.batch();
    return { ...batch, calls: [...calls, this.rootCall()] };
  }

  private trialCall(trial: ImportedTrial, example: string, repetition: number): Call {
    const { id, model } = this.evaluation.planned;
    this.position++;
    // Trials of a row are in the order of their times, which files of parallel runs have in any order, or not at all.
    const time = laterBy(this.evaluation.planned.startedAt, repetition);
    const { error, latencySeconds, totalTokens } = trial;
    const answer = {
      output: trial.output,
      scores: this.scoresOf(trial),
      ...(latencySeconds !== undefined && { model_latency: latencySeconds }),
    };
    // What holds the number of a trial that answers with one is not JSON itself.
    if (typeof trial.output === "number")
      keepNumberText(trial as unknown as JsonObject, "output", answer, "output");
    return {
      id: `${id}-${String(this.position).padStart(7, "0")}`,
      trace_id: id,
      parent_id: id,
      op_name: "Evaluation.predict_and_score",
      display_name: null,
      started_at: time,
      ended_at: time,
      inputs: { example, model: model ?? null },
      output: answer,
      attributes: trial.attributes ?? {},
      summary:
        totalTokens === undefined ? {} : { usage: { [model ?? "model"]: { total_tokens: totalTokens } } },
      exception: error ?? null,
      deleted_at: null,
    };
  }

  private scoresOf({ scores }: ImportedTrial): JsonObject {
    const { options, readings } = this.unit;
    const read = readScores(scores, (keys, value) =>
      isWanted(keys, options.scores)
        ? readScore(value, readings.get(printFieldPath(keys)) ?? "as it is")
        : null,
    );
    const passes = Object.entries(passesOf(read, options.passes ?? []));
    if (passes.length === 0) return read;
    const both = { ...read, ...Object.fromEntries(passes) };
    for (const name of Object.keys(read)) moveNumber(read, name, both, name);
    return both;
  }

  private rootCall(): Call {
    const { told, planned } = this.evaluation;
    const { id, name, model, startedAt, kind } = planned;
    return {
      id,
      trace_id: id,
      parent_id: null,
      op_name: "Evaluation.evaluate",
      display_name: name,
      started_at: startedAt ?? null,
      ended_at: laterBy(startedAt, 0),
      inputs: { self: this.dataset, model: model ?? null },
      output: null,
      attributes: { imported: present({ from: kind, dataset: planned.dataset, ...told.attributes }) },
      summary: {},
      exception: null,
      deleted_at: null,
    };
  }
}

/** Which repetition a file says that a trial is; undefined when it says none that can be. */
function repetitionOf({ repetition }: ImportedTrial): number | undefined {
  const isOne = Number.isSafeInteger(repetition) && repetition! >= 0 && repetition! < MOST_REPETITIONS;
  return isOne ? repetition : undefined;
}

function passesOf(scores: JsonObject, rules: readonly PassRule[]): JsonObject {
  if (rules.length === 0) return {};
  const passes: (readonly [string, Json])[] = [];
  for (const [keys, value] of scoreLeaves(scores)) {
    for (const rule of rules) {
      const passed = isRuleFor(rule, printFieldPath(keys), keys) ? rule.passes(value) : undefined;
      if (passed !== undefined) passes.push([passName(rule), passed]);
    }
  }
  return Object.fromEntries(passes);
}

/** A time so many microseconds later; from 1970 when it is not known. */
function laterBy(time: string | undefined, microseconds: number): string {
  const start = time === undefined ? 0 : Date.parse(time);
  const later = Math.floor(microseconds / 1000);
  const whole = isoTime((Number.isNaN(start) ? 0 : start) + later) ?? isoTime(later)!;
  return `${whole.slice(0, -1)}${String(microseconds % 1000).padStart(3, "0")}Z`;
}

/** A name as a reference can hold it. */
function nameInRef(name: string): string {
  return (
    name
      .replace(/[^\p{L}\p{N}._-]+/gu, "-")
      .replace(/^[-.]+|[-.]+$/g, "")
      .slice(0, 100) || "dataset"
  );
}

/** About how many characters a value takes. */
function sizeOf(value: Json): number {
  return typeof value === "string" ? value.length : value === null ? 0 : JSON.stringify(value).length;
}
