// What the name of an op tells about its calls. A project has a handful of ops and millions of calls: each op_name is
// looked at once and then known again.

import type { Call } from "./call.ts";

/** An op, as far as trials are concerned. */
export interface Op {
  /** The whole `op_name` when it is a ref; undefined for a bare name. */
  readonly ref: string | undefined;
  /** The name in an op ref (`weave:///acme/demo/op/judge.score:v3` is `judge.score`), or a bare name as it is. */
  readonly name: string;
  /** Whether its calls are trials. */
  readonly isPredictAndScore: boolean;
  /** Whether the name suffices to make its calls a model's. */
  readonly predicts: boolean;
  /** Whether the name suffices to make its calls a scorer's. */
  readonly scores: boolean;
  /** How well a scorer of this name fits a key of the scores. */
  fits(key: string): Fit;
}

/** By the whole name, by a part of it (in any case), or not at all. */
type Fit = "exact" | "part" | "none";

const PREDICT_AND_SCORE: ReadonlySet<string> = new Set([
  "Evaluation.predict_and_score",
  "Evaluation.predictAndScore",
]);

// If there are more different texts than this, they are not names of ops, and are not kept.
const KEPT = 256;
const known = new Map<string, Op>();

/** The op that an `op_name` names: a bare name, or a ref `<scheme>:///<entity>/<project>/op/<name>:<version>`. */
export function opOf(ref: string): Op {
  const before = known.get(ref);
  if (before !== undefined) return before;
  const op = readOp(opName({ op_name: ref }), isRef(ref) ? ref : undefined);
  if (known.size >= KEPT) known.clear();
  known.set(ref, op);
  return op;
}

function readOp(name: string, ref: string | undefined): Op {
  const lower = name.toLowerCase();
  const fits = new Map<string, Fit>();
  return {
    ref,
    name,
    isPredictAndScore: PREDICT_AND_SCORE.has(name),
    predicts: lower.includes("predict") || lower.includes("invoke"),
    scores: lower.includes(".score") || lower.includes("scorer"),
    fits(key) {
      let fit = fits.get(key);
      if (fit === undefined) {
        fit = fitOf(name, lower, key);
        if (fits.size >= KEPT) fits.clear();
        fits.set(key, fit);
      }
      return fit;
    },
  };
}

function fitOf(name: string, lower: string, key: string): Fit {
  if (name === key || name === `${key}.score`) return "exact";
  const lowerKey = key.toLowerCase();
  return lower.includes(lowerKey) || lowerKey.includes(lower) ? "part" : "none";
}

/** The name in an op ref (`weave:///acme/demo/op/judge.score:v3` is `judge.score`), or a bare name as it is. */
export function opName({ op_name: ref }: Pick<Call, "op_name">): string {
  if (!isRef(ref)) return ref;
  const at = ref.lastIndexOf("/op/");
  if (at === -1) return ref;
  const name = ref.slice(at + 4);
  const version = name.lastIndexOf(":");
  return version === -1 ? name : name.slice(0, version);
}

/** Whether a call is, by its op's name, a predict-and-score call: a trial of the evaluation whose root is its parent. */
export function isPredictAndScore(call: Pick<Call, "op_name">): boolean {
  return opOf(call.op_name).isPredictAndScore;
}

function isRef(opName: string): boolean {
  return opName.includes(":///");
}
