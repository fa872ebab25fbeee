// A call kept as its line and its outline. The parsed form of a line takes four times its size, and burdens the garbage
// collector as long as it is referenced; parsing again the few calls that are needed costs less.

import { type Json, ok, type Result } from "@assay/base";
import { mayLoseNumbers, memberText, withNumberTexts } from "@assay/base/internal";
import { type Call, readCallLine } from "./call.ts";
import { type CallOutline, outlineOf, type TrialOutline } from "./call-outline.ts";
import type { Op } from "./op-name.ts";
import type { GenAISpanRef } from "./span-ref.ts";

/** A call from a line of JSON. Fields that are not in its outline are parsed again on each access. */
export class LineCall implements Call, CallOutline {
  /** The call's id. */
  readonly id: string;
  /** The call that made this one; null for a root. */
  readonly parent_id: string | null;
  /** Set when the call was deleted. */
  readonly deleted_at: string | null;
  /** Properties derived from the name of its op. */
  readonly op: Op;
  /** Microseconds since 1970; NaN if unknown. */
  readonly startedAt: number;
  /** Microseconds since 1970; NaN if unknown. */
  readonly endedAt: number;
  /** `inputs.self`. */
  readonly self: Json;
  /** Whether its attributes mark it as a scorer's. */
  readonly isMarkedAsScorer: boolean;
  /** Total tokens over all models; null if none are reported. */
  readonly tokens: number | null;
  /** The OpenTelemetry spans it refers to; null if none. */
  readonly spans: readonly GenAISpanRef[] | null;
  /** For predict-and-score calls; null for others. */
  readonly trial: TrialOutline | null;
  private readonly line: string;

  private constructor(line: string, parent: string | null, outline: CallOutline, trial: TrialOutline | null) {
    this.line = line;
    this.id = outline.id;
    this.parent_id = parent;
    this.deleted_at = outline.deleted_at;
    this.op = outline.op;
    this.startedAt = outline.startedAt;
    this.endedAt = outline.endedAt;
    this.self = outline.self;
    this.isMarkedAsScorer = outline.isMarkedAsScorer;
    this.tokens = outline.tokens;
    this.spans = outline.spans;
    this.trial = trial;
  }

  /** Reads a call from a line. Issue codes: `readCallLine`'s. */
  static read(line: string): Result<LineCall> {
    const call = readCallLine(line, "double");
    if (!call.ok) return call;
    const outline = outlineOf(call.value);
    return ok(new LineCall(line, call.value.parent_id, outline, withLoggedRow(outline.trial, line)));
  }

  /** The same call, deleted at an ISO 8601 time. */
  deleted(at: string): LineCall {
    return new LineCall(this.line, this.parent_id, { ...this, deleted_at: at }, this.trial);
  }

  /** The length of its line in characters. */
  get length(): number {
    return this.line.length;
  }

  /** The call as an object with all fields. */
  whole(): Call {
    const call = readCallLine(this.line);
    if (!call.ok) throw new Error("a line that was read once cannot be read again");
    return call.value.deleted_at === this.deleted_at
      ? call.value
      : { ...call.value, deleted_at: this.deleted_at };
  }

  /** Its output, with numbers that do not remember their notation. */
  outputOfDoubles(): Json {
    const call = readCallLine(this.line, "double");
    if (!call.ok) throw new Error("a line that was read once cannot be read again");
    return call.value.output;
  }

  /** Serializes like any other call. */
  toJSON(): Call {
    return this.whole();
  }

  /** Parsed from its line on each access. */
  get trace_id(): string | null {
    return this.whole().trace_id;
  }
  /** Parsed from its line on each access. */
  get op_name(): string {
    return this.whole().op_name;
  }
  /** Parsed from its line on each access. */
  get display_name(): string | null {
    return this.whole().display_name;
  }
  /** Parsed from its line on each access. */
  get started_at(): string | null {
    return this.whole().started_at;
  }
  /** Parsed from its line on each access. */
  get ended_at(): string | null {
    return this.whole().ended_at;
  }
  /** Parsed from its line on each access. */
  get inputs(): Json {
    return this.whole().inputs;
  }
  /** Parsed from its line on each access. */
  get output(): Json {
    return this.whole().output;
  }
  /** Parsed from its line on each access. */
  get attributes(): Json {
    return this.whole().attributes;
  }
  /** Parsed from its line on each access. */
  get summary(): Json {
    return this.whole().summary;
  }
  /** Parsed from its line on each access. */
  get exception(): string | null {
    return this.whole().exception;
  }
}

/**
 * A row is identified by its content, in which `1` and `1.0` differ: only for the row is the notation of numbers read.
 */
function withLoggedRow(trial: TrialOutline | null, line: string): TrialOutline | null {
  if (trial === null || typeof trial.example === "string" || trial.example === null) return trial;
  const text = memberText(memberText(line, "inputs") ?? "", "example");
  if (text === undefined || !mayLoseNumbers(text)) return trial;
  if (typeof trial.example === "number") return { ...trial, exampleText: text };
  return { ...trial, example: withNumberTexts(trial.example, text) };
}
