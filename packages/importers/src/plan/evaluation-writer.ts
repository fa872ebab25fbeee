// Writes the calls of one evaluation. The root call comes last, after everything below it.

import { type Json, jsonText } from "@assay/base";
import { growableFloats, growableIndexes, parseJson } from "@assay/base/internal";
import { type Call, type CallLines, microseconds, type TrialBatch, type WrittenTrials } from "@assay/calls";
import { printFieldPath } from "@assay/query-lang/internal";
import { ByteWriter, copyBytes } from "../collections/byte-writer.ts";
import { isoTime } from "../json/iso-time.ts";
import { type JsonObject, moveNumber, present } from "../json/json-text.ts";
import { isSelected } from "../options/import-options.ts";
import { type PassRule, passName, ruleApplies } from "../scores/pass-rule.ts";
import { readScore, readScores, scoreLeaves } from "../scores/score-values.ts";
import type { Spool } from "../spool/spool.ts";
import { PART, SpooledTrials } from "../spool/spooled-trials.ts";
import type { UnitEvaluation } from "../trials/evaluation-tally.ts";
import { type ImportTarget, nameInRef, projectOf } from "./import-target.ts";
import type { ImportUnit } from "./scan.ts";

const CLOSE = 0x7d;
const encoder = new TextEncoder();

/** The bytes that all calls share. */
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

/** How much more room there is for calls than is expected to be needed. */
const SPARE = 1.02;
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

/** An evaluation to write. */
export class EvaluationWriter {
  readonly evaluation: UnitEvaluation;
  readonly project: string;
  /** The reference of its dataset. */
  readonly dataset: string;
  /** The references of its rows, without the digest of each. */
  readonly rowReferences: string;
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
    this.rowReferences = `${this.dataset}/attr/rows/id/`;
  }

  /** The calls of its trials. */
  async *trials(spool: Spool): AsyncGenerator<CallLines> {
    const { id: root, model } = this.evaluation.planned;
    const opName = "Evaluation.predict_and_score";
    const names = `${root}-`;
    const begin = encoder.encode(`{"id":"${names}`);
    const called = `","trace_id":"${root}","parent_id":"${root}","op_name":"${opName}","display_name":null`;
    const example = `"inputs":{"example":${JSON.stringify(this.rowReferences).slice(0, -1)}`;
    // By the trial's number within its row: the bytes between that number and the digest.
    const between: Uint8Array[] = [];
    const answered = encoder.encode(`","model":${JSON.stringify(model ?? null)}},"output":`);
    const usage = encoder.encode(`"usage":{${JSON.stringify(model ?? "model")}:{"total_tokens":`);
    let position = 0;
    // The bytes of calls for each that was spooled, by the last calls.
    let growth = 3;
    for await (const bytes of spool.read(this.evaluation.trials)) {
      const trials = new SpooledTrials(bytes);
      const calls = new ByteWriter(bytes.length * growth * SPARE);
      const [spans, started]: [number[], number[]] = [[], []];
      const part = (which: number) => calls.copy(bytes, trials.starts[which]!, trials.starts[which + 1]!);
      while (trials.next()) {
        const { repetition } = trials;
        const time = this.timeOf(repetition);
        calls.write(begin);
        spans.push(calls.size);
        calls.text(numberInId(++position));
        spans.push(calls.size);
        const known = between[repetition];
        const same =
          known ??
          encoder.encode(`${called},"started_at":"${time.text}","ended_at":"${time.text}",${example}`);
        if (known === undefined && repetition <= REPETITIONS) between[repetition] = same;
        calls.write(same);
        this.unit.rows.writeDigest(calls, trials.digest);
        calls.write(answered);
        this.writeOutput(calls, trials);
        if (trials.has(PART.attributes)) {
          calls.write(CALL.attributes);
          part(PART.attributes);
          calls.write(CALL.summary);
        } else calls.write(CALL.noAttributes);
        if (trials.has(PART.tokens)) {
          calls.write(usage);
          part(PART.tokens);
          calls.write(CALL.tokens);
        }
        if (trials.has(PART.error)) {
          calls.write(CALL.error);
          part(PART.error);
        } else calls.write(CALL.noError);
        calls.write(CALL.end);
        spans.push(calls.size);
        calls.newline();
        started.push(time.microseconds);
      }
      growth = calls.size / bytes.length;
      const named = { bytes: calls.finish(), names, spans: Uint32Array.from(spans) };
      yield { ...named, root, opName, started: Float64Array.from(started) };
    }
  }

  /** The data of these calls. */
  written(spool: Spool): WrittenTrials {
    const { planned } = this.evaluation;
    return {
      ids: { prefix: `${planned.id}-`, first: 1, digits: DIGITS },
      references: this.rowReferences,
      digests: this.unit.rows.digests,
      count: planned.trials,
      batches: this.batches(spool),
      writeOutputs: (into, placeOf) => this.writeOutputs(spool, into, placeOf),
    };
  }

  private async *batches(spool: Spool): AsyncGenerator<TrialBatch> {
    for await (const bytes of spool.read(this.evaluation.trials)) {
      const trials = new SpooledTrials(bytes);
      const scores: JsonObject[] = [];
      const [rows, lengths] = [growableIndexes(), growableIndexes()];
      const [startedAt, latency, tokens] = [growableFloats(), growableFloats(), growableFloats()];
      while (trials.next()) {
        rows.push(trials.digest);
        startedAt.push(this.timeOf(trials.repetition).microseconds);
        lengths.push(this.outputLength(trials));
        scores.push(this.scoresOf(trials).read);
        latency.push(trials.number(PART.latency) ?? Number.NaN);
        tokens.push(Math.trunc(trials.number(PART.tokens) ?? Number.NaN));
      }
      yield {
        ...{ scores, startedAt: startedAt.trimmed() },
        ...{ rows: Uint32Array.from(rows.trimmed()), lengths: Uint32Array.from(lengths.trimmed()) },
        ...{ latency: latency.trimmed(), tokens: tokens.trimmed() },
      };
    }
  }

  private async writeOutputs(
    spool: Spool,
    into: Uint8Array,
    placeOf: (trial: number) => number,
  ): Promise<void> {
    const output = new ByteWriter();
    let trial = 0;
    for await (const bytes of spool.read(this.evaluation.trials)) {
      const trials = new SpooledTrials(bytes);
      while (trials.next()) {
        const place = placeOf(trial++);
        if (place === -1) continue;
        output.size = 0;
        this.writeOutput(output, trials);
        copyBytes(output.bytes, 0, output.size, into, place);
      }
    }
  }

  /** The length of the call's output as JSON. */
  private outputLength(trials: SpooledTrials): number {
    const latency = trials.has(PART.latency) ? CALL.latency.length + trials.lengthOf(PART.latency) : 0;
    const scores = CALL.scores.length + this.scoresOf(trials).json.length;
    return CALL.output.length + trials.lengthOf(PART.output) + scores + latency + 1;
  }

  /** Writes the call's output as JSON. */
  private writeOutput(to: ByteWriter, trials: SpooledTrials): void {
    const { bytes, starts } = trials;
    const part = (which: number) => to.copy(bytes, starts[which]!, starts[which + 1]!);
    to.write(CALL.output);
    part(PART.output);
    to.write(CALL.scores);
    to.write(this.scoresOf(trials).json);
    if (trials.has(PART.latency)) {
      to.write(CALL.latency);
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
