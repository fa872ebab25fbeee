// Derives properties of calls from the name of their op. A project has a handful of ops and millions of calls, so each
// op name is analysed once and cached.

import type { Call } from "./call.ts";

/** An op, as far as it matters to trials. */
export interface Op {
  /** The whole `op_name` if it is a ref; undefined for a bare name. */
  readonly ref: string | undefined;
  /** The name in an op ref (`judge.score` in `weave:///acme/demo/op/judge.score:v3`), or the bare name. */
  readonly name: string;
  /** Whether its calls are trials. */
  readonly isPredictAndScore: boolean;
  /** Whether the name suffices to make its calls a model's. */
  readonly predicts: boolean;
  /** Whether the name suffices to make its calls a scorer's. */
  readonly scores: boolean;
  /** How well a scorer with this name matches a key of the scores. */
  fits(key: string): Fit;
}

/** By the whole name, by a part of it (ignoring case), or not at all. */
type Fit = "exact" | "part" | "none";

const PREDICT_AND_SCORE: ReadonlySet<string> = new Set([
  "Evaluation.predict_and_score",
  "Evaluation.predictAndScore",
]);

// Beyond this number of different texts, they are not names of ops, and are not cached.
const KEPT = 256;
const known = new Map<string, Op>();

/** The op of an `op_name`: a bare name, or a ref `<scheme>:///<entity>/<project>/op/<name>:<version>`. */
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

/** The name in an op ref (`judge.score` in `weave:///acme/demo/op/judge.score:v3`), or the bare name. */
export function opName({ op_name: ref }: Pick<Call, "op_name">): string {
  if (!isRef(ref)) return ref;
  const at = ref.lastIndexOf("/op/");
  if (at === -1) return ref;
  const name = ref.slice(at + 4);
  const version = name.lastIndexOf(":");
  return version === -1 ? name : name.slice(0, version);
}

/**
 * Whether a call is a predict-and-score call, by the name of its op: a trial of the evaluation whose root is its
 * parent.
 */
export function isPredictAndScore(call: Pick<Call, "op_name">): boolean {
  return opOf(call.op_name).isPredictAndScore;
}

function isRef(opName: string): boolean {
  return opName.includes(":///");
}
