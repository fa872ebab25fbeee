// Reads one trial from a predict-and-score call and its children (docs/reference/semantics.md, "One trial"). Pure; used
// for columns and by every store. `reference/naive-trial.ts` is its specification.

import type { Json } from "@assay/base";
import { compareText } from "@assay/base/internal";
import { type Call, type CallTree, type GenAISpanRef, rowDigest } from "@assay/calls";
import {
  type CallOutline,
  joinSpans,
  LineCall,
  outlineOf,
  type Scores,
  type TrialOutline,
} from "@assay/calls/internal";
import { deepEqual } from "@assay/query-lang/internal";
import type { PayloadItem } from "./payload-item.ts";

/** The usage of a trial and its spans: from its children, or only from the predict-and-score call. */
export interface TrialFacts {
  /** The model's call; null if it was not found. */
  readonly predictCallId: string | null;
  /** Seconds. */
  readonly latency: number | null;
  /** Null if none are reported. */
  readonly tokens: number | null;
  /** The scorer's call, by the key of its score. */
  readonly scorerCallIds: { readonly [scorer: string]: string };
  /** Spans of the model's own trace: those of the model's call, then those of the trial, without duplicates. */
  readonly spans: readonly GenAISpanRef[] | null;
}

/** One trial of one evaluation. */
export interface Trial {
  /** The predict-and-score call's id. */
  readonly id: string;
  /** Microseconds since 1970; NaN when unknown. */
  readonly startedAt: number;
  /** The identity of its row. */
  readonly digest: string;
  /** `inputs.example`: a dataset-row reference, an inline row, or null. */
  readonly example: Json;
  /** The predict-and-score call's whole output. */
  readonly output: Json;
  /** With the children read. */
  readonly facts: TrialFacts;
  /** Without children (`include_predict_and_score_children: false`). */
  readonly ownFacts: TrialFacts;
}

/** The trial of a direct child of an evaluation root; undefined if it is deleted or something else. */
export function readTrial(tree: CallTree): Trial | undefined {
  return trialFromCalls(tree);
}

/** The same, with the sources of columns. */
export function trialFromCalls({ call, children }: CallTree): ReadTrial | undefined {
  const own = outlineIn(call);
  if (own.deleted_at !== null || own.trial === null) return undefined;
  return new ReadTrial(call, own, own.trial, children);
}

/** A call from a line includes its outline. */
function outlineIn(call: Call): CallOutline {
  return call instanceof LineCall ? call : outlineOf(call);
}

/** The sources of columns. */
export interface ColumnTrial extends Omit<Trial, "output"> {
  /** The `scores` in the output if they are an object, else none. */
  readonly scores: Scores;
  /** The predict-and-score call's whole output, or its source. */
  readonly payload: PayloadItem;
}

/** A trial as it was read from its calls. */
export class ReadTrial implements Trial, ColumnTrial {
  readonly id: string;
  readonly startedAt: number;
  readonly digest: string;
  readonly example: Json;
  readonly scores: Scores;
  /** The predict-and-score call. */
  readonly call: Call;
  readonly facts: TrialFacts;
  readonly ownFacts: TrialFacts;
  private read: Json | undefined;

  constructor(call: Call, own: CallOutline, trial: TrialOutline, children: readonly Call[]) {
    this.id = own.id;
    this.startedAt = own.startedAt;
    this.digest = rowDigest(trial.example, trial.exampleText);
    this.example = trial.example;
    this.scores = trial.scores;
    this.call = call;
    this.facts = factsWithChildren(own, trial, liveInOrder(children));
    this.ownFacts = ownFacts(own, trial);
    this.read = undefined;
  }

  get payload(): PayloadItem {
    return this.call instanceof LineCall ? this.call : this.output;
  }

  // Only needed to keep outputs as texts.
  get output(): Json {
    if (this.read === undefined) this.read = this.call.output;
    return this.read;
  }
}

/** Compares trials of a row: by start, then ID. A trial without a readable start comes last. */
export function compareTrials(a: Trial, b: Trial): number {
  return compareTimes(a.startedAt, b.startedAt) || compareText(a.id, b.id);
}

/** Earlier first, unknown (NaN) last. */
export function compareTimes(a: number, b: number): number {
  if (a === b) return 0;
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  return Number.isNaN(b) || a < b ? -1 : 1;
}

function ownFacts({ tokens, spans }: CallOutline, { latency }: TrialOutline): TrialFacts {
  return { predictCallId: null, latency, tokens, scorerCallIds: {}, spans };
}

function factsWithChildren(
  own: CallOutline,
  trial: TrialOutline,
  children: readonly CallOutline[],
): TrialFacts {
  const predict = predictChild(trial, children);
  return {
    predictCallId: predict?.id ?? null,
    latency: (predict === undefined ? null : elapsed(predict)) ?? trial.latency,
    tokens: (predict ?? own).tokens,
    scorerCallIds: scorerCalls(Object.keys(trial.scores), children),
    spans: joinSpans(predict?.spans ?? null, own.spans),
  };
}

/** Children that are not deleted, by start and ID; mostly they arrived in that order. */
function liveInOrder(children: readonly Call[]): readonly CallOutline[] {
  const live: CallOutline[] = [];
  let inOrder = true;
  for (const child of children) {
    const outline = outlineIn(child);
    if (outline.deleted_at !== null) continue;
    if (live.length > 0 && compareCalls(live.at(-1)!, outline) > 0) inOrder = false;
    live.push(outline);
  }
  return inOrder ? live : live.sort(compareCalls);
}

function compareCalls(a: CallOutline, b: CallOutline): number {
  return compareTimes(a.startedAt, b.startedAt) || compareText(a.id, b.id);
}

/**
 * The model's call: that of the same model object, or of the op that is the model (a plain function), or one with a
 * telling op name.
 */
function predictChild({ model }: TrialOutline, children: readonly CallOutline[]): CallOutline | undefined {
  return children.find(
    ({ isMarkedAsScorer, self, op }) =>
      !isMarkedAsScorer && ((model !== null && (deepEqual(self, model) || op.ref === model)) || op.predicts),
  );
}

/** The call of each scorer key: an exact match of the op's name takes precedence over substring matches. */
function scorerCalls(
  keys: readonly string[],
  children: readonly CallOutline[],
): { readonly [scorer: string]: string } {
  const scorers = children.filter(({ isMarkedAsScorer, op }) => isMarkedAsScorer || op.scores);
  const found: [string, string][] = [];
  for (const key of keys) {
    const scorer =
      scorers.find(({ op }) => op.fits(key) === "exact") ?? scorers.find(({ op }) => op.fits(key) === "part");
    if (scorer !== undefined) found.push([key, scorer.id]);
  }
  return Object.fromEntries(found);
}

/** Seconds between start and end, or null if either is unknown. */
function elapsed({ startedAt, endedAt }: CallOutline): number | null {
  const micros = endedAt - startedAt;
  return Number.isNaN(micros) ? null : micros / 1e6;
}
