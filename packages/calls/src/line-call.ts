// A call kept only as its line and its outline. What a parser makes of a line is four times the line's size and has to
// be moved by the garbage collector as long as it is referenced; parsing the few calls that are looked at again costs
// less.

import { type Json, ok, type Result } from "@assay/base";
import { mayLoseNumbers, memberText, withNumberTexts } from "@assay/base/internal";
import { type Call, readCallLine } from "./call.ts";
import { type CallOutline, outlineOf, type TrialOutline } from "./call-outline.ts";
import type { Op } from "./op-name.ts";
import type { GenAISpanRef } from "./span-ref.ts";

/** A call from a line of JSON: the fields that are not in its outline are parsed again whenever they are read. */
export class LineCall implements Call, CallOutline {
  /** The call's id. */
  readonly id: string;
  /** The call that made it; null for a root. */
  readonly parent_id: string | null;
  /** Set when the call was deleted. */
  readonly deleted_at: string | null;
  /** What its op's name says about it. */
  readonly op: Op;
  /** Microseconds since 1970; NaN when unknown. */
  readonly startedAt: number;
  /** Microseconds since 1970; NaN when unknown. */
  readonly endedAt: number;
  /** `inputs.self`. */
  readonly self: Json;
  /** Whether its attributes say that it is a scorer's. */
  readonly isMarkedAsScorer: boolean;
  /** Total tokens over all models; null when none are reported. */
  readonly tokens: number | null;
  /** The OpenTelemetry spans it refers to; null when it refers to none. */
  readonly spans: readonly GenAISpanRef[] | null;
  /** Of a predict-and-score call; null for all others. */
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

  /** Reads a call from a line, with the issues of `readCallLine`. */
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

  /** Characters of its line. */
  get length(): number {
    return this.line.length;
  }

  /** The call as one object that holds everything. */
  whole(): Call {
    const call = readCallLine(this.line);
    if (!call.ok) throw new Error("a line that was read once cannot be read again");
    return call.value.deleted_at === this.deleted_at
      ? call.value
      : { ...call.value, deleted_at: this.deleted_at };
  }

  /** Its output, with numbers that do not remember how they were written. */
  outputOfDoubles(): Json {
    const call = readCallLine(this.line, "double");
    if (!call.ok) throw new Error("a line that was read once cannot be read again");
    return call.value.output;
  }

  /** So that it is written out as any other call. */
  toJSON(): Call {
    return this.whole();
  }

  /** As in its line, which is parsed again. */
  get trace_id(): string | null {
    return this.whole().trace_id;
  }
  /** As in its line, which is parsed again. */
  get op_name(): string {
    return this.whole().op_name;
  }
  /** As in its line, which is parsed again. */
  get display_name(): string | null {
    return this.whole().display_name;
  }
  /** As in its line, which is parsed again. */
  get started_at(): string | null {
    return this.whole().started_at;
  }
  /** As in its line, which is parsed again. */
  get ended_at(): string | null {
    return this.whole().ended_at;
  }
  /** As in its line, which is parsed again. */
  get inputs(): Json {
    return this.whole().inputs;
  }
  /** As in its line, which is parsed again. */
  get output(): Json {
    return this.whole().output;
  }
  /** As in its line, which is parsed again. */
  get attributes(): Json {
    return this.whole().attributes;
  }
  /** As in its line, which is parsed again. */
  get summary(): Json {
    return this.whole().summary;
  }
  /** As in its line, which is parsed again. */
  get exception(): string | null {
    return this.whole().exception;
  }
}

/** A row is known by its content, and `1` and `1.0` are not the same content: only of the row are such numbers read. */
function withLoggedRow(trial: TrialOutline | null, line: string): TrialOutline | null {
  if (trial === null || typeof trial.example === "string" || trial.example === null) return trial;
  const text = memberText(memberText(line, "inputs") ?? "", "example");
  if (text === undefined || !mayLoseNumbers(text)) return trial;
  if (typeof trial.example === "number") return { ...trial, exampleText: text };
  return { ...trial, example: withNumberTexts(trial.example, text) };
}
