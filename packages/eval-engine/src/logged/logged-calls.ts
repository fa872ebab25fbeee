// The calls of evaluations that a program logged as objects. Each is made when it is asked for, and no sooner: most are
// looked at once, when columns are made of them.

import type { Json } from "@assay/base";
import { type Call, type CallSource, type DatasetRow, rowDigest } from "@assay/calls";
import { MAX_CALL_DEPTH, nestsDeeper } from "@assay/calls/internal";
import type { EvaluationLog, LoggedTrial } from "./evaluation-log.ts";

/** The project of the calls. */
export const LOCAL_PROJECT = "local/evaluations";

/** The number of trials made at once. */
const BATCH = 1024;

/** An evaluation, as it was when it was loaded. */
interface Loaded {
  readonly name: string;
  readonly model: string | null;
  /** The reference to its dataset. */
  readonly self: string;
  readonly trials: readonly LoggedTrial[];
  /** The reference to the row of each trial. */
  readonly examples: readonly string[];
}

/** The calls of evaluations. Puts their rows into `rows`. Throws a TypeError for an invalid trial. */
export function loggedCalls(logs: readonly EvaluationLog[], rows: RowRefs): CallSource {
  const loaded = new Map(logs.map((log) => [log.facts.name, load(log, rows)]));
  return {
    retains: true,
    version: () => 1,
    calls: (_, ids) => ids.map((id) => callWithId(loaded, id)),
    async *trees(_, root) {
      const evaluation = loaded.get(root);
      if (evaluation === undefined) return;
      for (let from = 0; from < evaluation.trials.length; from += BATCH)
        yield evaluation.trials
          .slice(from, from + BATCH)
          .map((_, i) => ({ call: trialCall(evaluation, from + i), children: [] }));
    },
    changes: () => [],
  };
}

function load({ facts, trials }: EvaluationLog, rows: RowRefs): Loaded {
  const { name, model = null, dataset = "dataset" } = facts;
  const self = `weave:///${LOCAL_PROJECT}/object/${encodeURIComponent(dataset)}:v0`;
  const examples = trials.map((trial, i) => {
    const { row, output, scores } = trial;
    if (typeof row !== "object" || row === null)
      throw new TypeError(`trial ${i} of ${name}: row must be an object, the dataset's fields`);
    if (tooDeep(row) || tooDeep(output) || tooDeep(scores))
      throw new TypeError(`trial ${i} of ${name}: nested deeper than ${DEEPEST} levels`);
    return rows.refOf(row, self);
  });
  return { name, model, self, trials: [...trials], examples };
}

/** Nesting starts two levels down in a call. */
const DEEPEST = MAX_CALL_DEPTH - 2;

function tooDeep(value: unknown): boolean {
  // Most trials hold only texts and numbers, and need no walk.
  if (typeof value !== "object" || value === null) return false;
  return (
    Object.values(value).some((member) => typeof member === "object") && nestsDeeper(value as Json, DEEPEST)
  );
}

const TRIAL = /^(.*)\/trial-(\d{9,})$/s;

function callWithId(loaded: ReadonlyMap<string, Loaded>, id: string): Call | undefined {
  const root = loaded.get(id);
  if (root !== undefined) return rootCall(root);
  const [, name = "", number] = TRIAL.exec(id) ?? [];
  const evaluation = loaded.get(name);
  return evaluation !== undefined && Number(number) < evaluation.trials.length
    ? trialCall(evaluation, Number(number))
    : undefined;
}

/** The default members of a call. */
const UNKNOWN = {
  trace_id: null,
  started_at: null,
  ended_at: null,
  attributes: null,
  summary: null,
  exception: null,
  deleted_at: null,
};

function rootCall({ name, model, self }: Loaded): Call {
  return {
    ...UNKNOWN,
    id: name,
    parent_id: null,
    op_name: "Evaluation.evaluate",
    display_name: name,
    inputs: { self, model },
    output: null,
  };
}

function trialCall({ name, model, trials, examples }: Loaded, i: number): Call {
  const { output = null, scores = {}, latency, tokens, error } = trials[i]!;
  const failed = error !== undefined && error !== null && error !== "";
  const said = { output: failed ? null : (output as Json), scores: failed ? {} : (scores as Json) };
  return {
    // Trials of a row without times are ordered by their IDs.
    id: `${name}/trial-${String(i).padStart(9, "0")}`,
    trace_id: null,
    parent_id: name,
    op_name: "Evaluation.predict_and_score",
    display_name: null,
    started_at: null,
    ended_at: null,
    inputs: { example: examples[i]!, model },
    output: typeof latency === "number" ? { ...said, model_latency: latency } : said,
    attributes: null,
    summary: typeof tokens === "number" ? { usage: { [model ?? "model"]: { total_tokens: tokens } } } : null,
    exception: failed ? error : null,
    deleted_at: null,
  };
}

/** Stores each dataset row once, and computes its digest once. */
export class RowRefs {
  readonly rows: DatasetRow[] = [];
  private readonly digests = new Map<string, string>();
  /** By dataset, then by the row's text. */
  private readonly refs = new Map<string, Map<string, string>>();
  private readonly known = new Set<string>();

  /** A reference to the row in the dataset `self`. */
  refOf(row: object, self: string): string {
    const text = JSON.stringify(row);
    const refs = this.refs.get(self) ?? new Map<string, string>();
    this.refs.set(self, refs);
    const before = refs.get(text);
    if (before !== undefined) return before;
    const ref = `${self}/attr/rows/id/${this.digestOf(text)}`;
    refs.set(text, ref);
    return ref;
  }

  private digestOf(text: string): string {
    const before = this.digests.get(text);
    if (before !== undefined) return before;
    const val = JSON.parse(text) as Json;
    const digest = rowDigest(val);
    this.digests.set(text, digest);
    // The same content with its keys in another order.
    if (!this.known.has(digest)) this.rows.push({ digest, val });
    this.known.add(digest);
    return digest;
  }
}
