// Writes an import: dataset rows and calls as lines of JSON. The root call of an evaluation comes last, after
// everything below it, so an interrupted import leaves no evaluation behind. Importing again writes the same calls with
// the same ids.

import { type Json, jsonText } from "@assay/base";
import { growableFloats, growableIndexes, parseJson } from "@assay/base/internal";
import {
  type Call,
  type CallLines,
  microseconds,
  type RecordLines,
  type TrialBatch,
  type WrittenTrials,
} from "@assay/calls";
import { printFieldPath } from "@assay/query-lang/internal";
import { ByteWriter } from "./byte-writer.ts";
import { Dictionary } from "./digest-table.ts";
import type { UnitEvaluation } from "./evaluation-tally.ts";
import { grouped } from "./grouped.ts";
import { isSelected } from "./import-options.ts";
import { isoTime } from "./iso-time.ts";
import { type JsonObject, moveNumber, present } from "./json-text.ts";
import { type PassRule, passName, ruleApplies } from "./pass-rule.ts";
import type { PlannedEvaluation } from "./planned-evaluation.ts";
import { type ProjectDirections, projectDirections } from "./project-directions.ts";
import type { ImportUnit } from "./scan.ts";
import { readScore, readScores, scoreLeaves } from "./score-values.ts";
import type { Spool } from "./spool.ts";
import { PART, SpooledTrials, spooledRows } from "./spooled-trials.ts";

/** What is written to a project, as lines of JSON; each piece has complete lines. */
export interface ProjectLines extends ProjectDirections {
  /** `<entity>/<project>`. */
  readonly project: string;
  /** Dataset rows, `{"digest", "ref", "val"}`. Write them first. */
  rows(): AsyncGenerator<RecordLines>;
  /** The calls of the trials. */
  trials(): AsyncGenerator<CallLines>;
  /** The root calls of the evaluations. Write them last. */
  roots(): Uint8Array<ArrayBuffer>;
  /** The evaluations, for callers that need more about their trials than lines. */
  readonly evaluations: readonly WrittenEvaluation[];
}

/** An evaluation to write. */
export interface WrittenEvaluation {
  /** Its entry in the plan. */
  readonly planned: PlannedEvaluation;
  /** The reference of its dataset. */
  readonly dataset: string;
  /** Bytes spooled for its trials. */
  readonly size: number;
  /** The data of its trials' calls, in order. */
  readonly written: () => WrittenTrials;
}

/** Where to write an import. */
export interface ImportTarget {
  /** `<entity>/<project>`. */
  readonly project: string;
  /** Whether each dataset gets its own project, in the same entity. Default false. */
  readonly projectPerDataset?: boolean;
}

/** What to write, by project. */
export function importLines(
  units: readonly ImportUnit[],
  spool: Spool,
  target: ImportTarget,
): readonly ProjectLines[] {
  const writers = units.flatMap((unit) =>
    unit.evaluations.map((evaluation) => new EvaluationWriter(unit, evaluation, target)),
  );
  const projects = grouped(writers, ({ project }) => project);
  return Array.from(projects, ([project, of]) => ({
    project,
    ...projectDirections(of.map(({ evaluation }) => evaluation.planned)),
    async *rows() {
      // Evaluations of the same dataset share rows.
      for (const same of grouped(of, ({ dataset }) => dataset).values()) yield* rowsOf(spool, same);
    },
    async *trials() {
      for (const writer of of) yield* writer.trials(spool);
    },
    roots: () => encoder.encode(of.map((writer) => `${jsonText(writer.root())}\n`).join("")),
    evaluations: of.map((writer) => ({
      planned: writer.evaluation.planned,
      dataset: writer.dataset,
      size: spool.sizeOf(writer.evaluation.trials),
      written: () => writer.written(spool),
    })),
  }));
}

/** The rows of evaluations with the same dataset, without duplicates. */
async function* rowsOf(spool: Spool, writers: readonly EvaluationWriter[]): AsyncGenerator<RecordLines> {
  const written = new Dictionary();
  const names = `${writers[0]!.dataset}${ROW_ID}`;
  const ref = encoder.encode(`","ref":${JSON.stringify(names).slice(0, -1)}`);
  for (const [unit, of] of grouped(writers, (writer) => writer.unit)) {
    const isWritten = new Uint8Array(unit.rows.length);
    for (const { evaluation } of of)
      for (const [i, row] of evaluation.unitRows.entries())
        if (written.size === written.ofOther(evaluation.rows, i)) isWritten[row] = 1;
    let next = 0;
    for await (const texts of spool.read(unit.rowTexts)) {
      const rows = new ByteWriter(texts.length * 2);
      const spans: number[] = [];
      for (const [start, end] of spooledRows(texts)) {
        const row = next++;
        if (isWritten[row] === 0) continue;
        rows.all(ROW.digest);
        unit.rows.writeDigest(rows, row);
        rows.all(ref);
        spans.push(rows.size);
        unit.rows.writeDigest(rows, row);
        spans.push(rows.size);
        rows.all(ROW.value);
        rows.copy(texts, start, end);
        rows.byte(CLOSE);
        spans.push(rows.size);
        rows.newline();
      }
      if (rows.size > 0) yield { bytes: rows.finish(), names, spans: Uint32Array.from(spans) };
    }
  }
}

const ROW_ID = "/attr/rows/id/";
const CLOSE = 0x7d;
const encoder = new TextEncoder();

/** The bytes that all rows share, and those that all calls share. */
const ROW = encoded({ digest: '{"digest":"', value: '","val":' });
const CALL = encoded({
  output: '{"output":',
  scores: ',"scores":',
  latency: ',"model_latency":',
  attributes: ',"attributes":',
  noAttributes: ',"attributes":{},"summary":{',
  summary: ',"summary":{',
  tokens: "}}",
  error: '},"exception":',
  noError: '},"exception":null',
  end: ',"deleted_at":null}',
});

function encoded<Names extends string>(texts: Readonly<Record<Names, string>>): Record<Names, Uint8Array> {
  const bytes = Object.entries<string>(texts).map(([name, text]) => [name, encoder.encode(text)] as const);
  return Object.fromEntries(bytes) as Record<Names, Uint8Array>;
}

/** The project that an evaluation of a dataset is written to. */
export function projectOf(dataset: string, { project, projectPerDataset = false }: ImportTarget): string {
  return projectPerDataset ? `${project.slice(0, project.indexOf("/"))}/${nameInRef(dataset)}` : project;
}

/** Repetitions of a row whose times are remembered. */
const REPETITIONS = 1000;

/** Scores to write, and their JSON. */
interface ReadScores {
  readonly read: JsonObject;
  readonly json: Uint8Array;
}

/** The start and end time of a call. */
interface Time {
  readonly text: string;
  readonly microseconds: number;
}

class EvaluationWriter {
  readonly evaluation: UnitEvaluation;
  readonly project: string;
  /** The reference of its dataset. */
  readonly dataset: string;
  readonly unit: ImportUnit;
  /** The scores to write, by their number. */
  private readonly scores: ReadScores[] = [];
  private readonly times: Time[] = [];

  constructor(unit: ImportUnit, evaluation: UnitEvaluation, target: ImportTarget) {
    this.unit = unit;
    this.evaluation = evaluation;
    const { dataset } = evaluation.planned;
    this.project = projectOf(dataset, target);
    this.dataset = `weave:///${this.project}/object/${nameInRef(dataset)}:${evaluation.version}`;
  }

  /** The calls of its trials. */
  async *trials(spool: Spool): AsyncGenerator<CallLines> {
    const { id: root, model } = this.evaluation.planned;
    const opName = "Evaluation.predict_and_score";
    const names = `${root}-`;
    const begin = encoder.encode(`{"id":"${names}`);
    const called = `","trace_id":"${root}","parent_id":"${root}","op_name":"${opName}","display_name":null`;
    const example = `"inputs":{"example":${JSON.stringify(`${this.dataset}${ROW_ID}`).slice(0, -1)}`;
    // By the trial's number within its row: the bytes between that number and the digest.
    const between: Uint8Array[] = [];
    const answered = encoder.encode(`","model":${JSON.stringify(model ?? null)}},"output":`);
    const usage = encoder.encode(`"usage":{${JSON.stringify(model ?? "model")}:{"total_tokens":`);
    let position = 0;
    const { unitRows } = this.evaluation;
    for await (const bytes of spool.read(this.evaluation.trials)) {
      const trials = new SpooledTrials(bytes);
      const calls = new ByteWriter(bytes.length * 3);
      const [spans, started]: [number[], number[]] = [[], []];
      const part = (which: number) => calls.copy(bytes, trials.starts[which]!, trials.starts[which + 1]!);
      while (trials.next()) {
        const { repetition } = trials;
        const time = this.timeOf(repetition);
        calls.all(begin);
        spans.push(calls.size);
        calls.text(numberInId(++position));
        spans.push(calls.size);
        const known = between[repetition];
        const same =
          known ??
          encoder.encode(`${called},"started_at":"${time.text}","ended_at":"${time.text}",${example}`);
        if (known === undefined && repetition <= REPETITIONS) between[repetition] = same;
        calls.all(same);
        this.unit.rows.writeDigest(calls, unitRows[trials.row]!);
        calls.all(answered);
        this.writeOutput(calls, trials);
        if (trials.has(PART.attributes)) {
          calls.all(CALL.attributes);
          part(PART.attributes);
          calls.all(CALL.summary);
        } else calls.all(CALL.noAttributes);
        if (trials.has(PART.tokens)) {
          calls.all(usage);
          part(PART.tokens);
          calls.all(CALL.tokens);
        }
        if (trials.has(PART.error)) {
          calls.all(CALL.error);
          part(PART.error);
        } else calls.all(CALL.noError);
        calls.all(CALL.end);
        spans.push(calls.size);
        calls.newline();
        started.push(time.microseconds);
      }
      const named = { bytes: calls.finish(), names, spans: Uint32Array.from(spans) };
      yield { ...named, root, opName, started: Float64Array.from(started) };
    }
  }

  /** The data of these calls. */
  written(spool: Spool): WrittenTrials {
    const { planned } = this.evaluation;
    return {
      ids: { prefix: `${planned.id}-`, first: 1, digits: DIGITS },
      references: `${this.dataset}${ROW_ID}`,
      digests: this.unit.rows.digests,
      batches: this.batches(spool),
    };
  }

  private async *batches(spool: Spool): AsyncGenerator<TrialBatch> {
    const outputs = new ByteWriter();
    const { trials: spooled, unitRows } = this.evaluation;
    for await (const bytes of spool.read(spooled)) {
      const trials = new SpooledTrials(bytes);
      const scores: JsonObject[] = [];
      outputs.size = 0;
      const [rows, ends] = [growableIndexes(), growableIndexes()];
      const [startedAt, latency, tokens] = [growableFloats(), growableFloats(), growableFloats()];
      while (trials.next()) {
        rows.push(this.unit.rows.digestNumber(unitRows[trials.row]!));
        startedAt.push(this.timeOf(trials.repetition).microseconds);
        this.writeOutput(outputs, trials);
        ends.push(outputs.size);
        scores.push(this.scoresOf(trials).read);
        latency.push(trials.number(PART.latency) ?? Number.NaN);
        tokens.push(Math.trunc(trials.number(PART.tokens) ?? Number.NaN));
      }
      yield {
        ...{ scores, outputs: outputs.written(), startedAt: startedAt.trimmed() },
        ...{ rows: Uint32Array.from(rows.trimmed()), ends: Uint32Array.from(ends.trimmed()) },
        ...{ latency: latency.trimmed(), tokens: tokens.trimmed() },
      };
    }
  }

  /** Writes the call's output as JSON. */
  private writeOutput(to: ByteWriter, trials: SpooledTrials): void {
    const { bytes, starts } = trials;
    const part = (which: number) => to.copy(bytes, starts[which]!, starts[which + 1]!);
    to.all(CALL.output);
    part(PART.output);
    to.all(CALL.scores);
    to.all(this.scoresOf(trials).json);
    if (trials.has(PART.latency)) {
      to.all(CALL.latency);
      part(PART.latency);
    }
    to.byte(CLOSE);
  }

  /** Trials of a row are ordered by time, and files of parallel runs list times in any order, or not at all. */
  private timeOf(repetition: number): Time {
    const known = this.times[repetition];
    if (known !== undefined) return known;
    const text = laterBy(this.evaluation.planned.startedAt, repetition);
    const time = { text, microseconds: microseconds(text) };
    if (repetition <= REPETITIONS) this.times[repetition] = time;
    return time;
  }

  private scoresOf(trials: SpooledTrials): ReadScores {
    const known = this.scores[trials.scores];
    if (known !== undefined) return known;
    const read = this.readScores(parseJson(trials.text(PART.scores)) as JsonObject);
    const scores = { read, json: encoder.encode(jsonText(read)) };
    if (trials.scores !== -1) this.scores[trials.scores] = scores;
    return scores;
  }

  private readScores(scores: JsonObject): JsonObject {
    const { options, readings } = this.unit;
    const read = readScores(scores, (keys, value) =>
      isSelected(keys, options) ? readScore(value, readings.get(printFieldPath(keys)) ?? "as it is") : null,
    );
    const passes = Object.entries(passesOf(read, options.passes ?? []));
    if (passes.length === 0) return read;
    const both = { ...read, ...Object.fromEntries(passes) };
    for (const name of Object.keys(read)) moveNumber(read, name, both, name);
    return both;
  }

  /** The root call, which makes this an evaluation. */
  root(): Call {
    const { source, planned } = this.evaluation;
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
      attributes: { imported: present({ from: kind, dataset: planned.dataset, ...source.attributes }) },
      summary: {},
      exception: null,
      deleted_at: null,
    };
  }
}

/** The least number of digits of a trial's number in its id. */
const DIGITS = 7;

/** The number of a trial, as it appears in ids. */
function numberInId(position: number): string {
  return String(position).padStart(DIGITS, "0");
}

function passesOf(scores: JsonObject, rules: readonly PassRule[]): JsonObject {
  if (rules.length === 0) return {};
  const passes: (readonly [string, Json])[] = [];
  for (const [keys, value] of scoreLeaves(scores)) {
    for (const rule of rules) {
      const passed = ruleApplies(rule, printFieldPath(keys), keys) ? rule.passes(value) : undefined;
      if (passed !== undefined) passes.push([passName(rule), passed]);
    }
  }
  return Object.fromEntries(passes);
}

/** The time plus a number of microseconds; counted from 1970 if the time is unknown. */
function laterBy(time: string | undefined, microseconds: number): string {
  const start = time === undefined ? 0 : Date.parse(time);
  const later = Math.floor(microseconds / 1000);
  const whole = isoTime((Number.isNaN(start) ? 0 : start) + later) ?? isoTime(later)!;
  return `${whole.slice(0, -1)}${String(microseconds % 1000).padStart(3, "0")}Z`;
}

/** A name in the form that a reference can hold. */
function nameInRef(name: string): string {
  return (
    name
      .replace(/[^\p{L}\p{N}._-]+/gu, "-")
      .replace(/^[-.]+|[-.]+$/g, "")
      .slice(0, 100) || "dataset"
  );
}
