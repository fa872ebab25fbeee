// Evaluations that a program logged as objects, and their calls.

import type { Json } from "@assay/base";
import { type Call, type CallSource, type DatasetRow, rowDigest } from "@assay/calls";
import { MAX_CALL_DEPTH, type NumberedIds, nestsDeeper } from "@assay/calls/internal";
import { numberedId } from "../columns/derived-texts.ts";
import { Texts } from "../columns/texts.ts";
import type { EvaluationLog, LoggedTrial } from "./evaluation-log.ts";

/** The project of the calls. */
export const LOCAL_PROJECT = "local/evaluations";

/** The number of trials made at once. */
const BATCH = 1024;

/** An evaluation, as it was when it was loaded. */
export interface Loaded {
  readonly name: string;
  readonly model: string | null;
  /** The reference to its dataset. */
  readonly self: string;
  readonly trials: readonly LoggedTrial[];
  /** The number of each trial's row in the table of all rows. */
  readonly rowOf: Uint32Array;
  /** The digests of all rows, by number. */
  readonly digests: Texts;
}

/** Evaluations by name. Puts their rows into `rows`. Throws a TypeError for an invalid trial. */
export function loggedEvaluations(
  logs: readonly EvaluationLog[],
  rows: RowTable,
): ReadonlyMap<string, Loaded> {
  return new Map(logs.map((log) => [log.facts.name, load(log, rows)]));
}

/** A source of the calls of loaded evaluations; it builds each call on request. */
export function loggedCalls(loaded: ReadonlyMap<string, Loaded>): CallSource {
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

function load({ facts, trials }: EvaluationLog, rows: RowTable): Loaded {
  const { name, model = null, dataset = "dataset" } = facts;
  const rowOf = new Uint32Array(trials.length);
  for (let i = 0; i < trials.length; i++) {
    const { row, output, scores } = trials[i]!;
    if (typeof row !== "object" || row === null)
      throw new TypeError(`trial ${i} of ${name}: row must be an object, the dataset's fields`);
    if (tooDeep(row) || tooDeep(output) || tooDeep(scores))
      throw new TypeError(`trial ${i} of ${name}: nested deeper than ${DEEPEST} levels`);
    rowOf[i] = rows.numberOf(row);
  }
  const self = `weave:///${LOCAL_PROJECT}/object/${encodeURIComponent(dataset)}:v0`;
  return { name, model, self, trials: [...trials], rowOf, digests: rows.digests };
}

/** The part of a reference to a row that comes before its digest. */
export const ROW_ID = "/attr/rows/id/";

/** Nesting starts two levels down in a call. */
const DEEPEST = MAX_CALL_DEPTH - 2;

function tooDeep(value: unknown): boolean {
  // Most trials hold only texts and numbers, and need no walk.
  if (typeof value !== "object" || value === null) return false;
  for (const name in value)
    if (typeof (value as { readonly [name: string]: unknown })[name] === "object")
      return nestsDeeper(value as Json, DEEPEST);
  return false;
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

function trialCall(evaluation: Loaded, i: number): Call {
  const { name, model, self, trials, rowOf, digests } = evaluation;
  const { tokens, error } = trials[i]!;
  return {
    id: numberedId(idsOf(evaluation), i),
    trace_id: null,
    parent_id: name,
    op_name: "Evaluation.predict_and_score",
    display_name: null,
    started_at: null,
    ended_at: null,
    inputs: { example: `${self}${ROW_ID}${digests.get(rowOf[i]!)}`, model },
    output: outputOf(trials[i]!),
    attributes: null,
    summary: typeof tokens === "number" ? { usage: { [model ?? "model"]: { total_tokens: tokens } } } : null,
    exception: isError(error) ? error : null,
    deleted_at: null,
  };
}

/** The ids of trials' calls: trials of a row without times are in their order. */
export function idsOf({ name }: Loaded): NumberedIds {
  return { prefix: `${name}/trial-`, first: 0, digits: 9 };
}

/** The output of a trial's call. */
export function outputOf({ output = null, scores = {}, latency, error }: LoggedTrial): Json {
  const said = isError(error)
    ? { output: null, scores: {} }
    : { output: output as Json, scores: scores as Json };
  return typeof latency === "number" ? { ...said, model_latency: latency } : said;
}

function isError(error: string | null | undefined): error is string {
  return error !== undefined && error !== null && error !== "";
}

/** Stores each dataset row once under a number, and computes its digest once. */
export class RowTable {
  readonly rows: DatasetRow[] = [];
  /** By number. */
  readonly digests: Texts = new Texts();
  private readonly byText = new Map<string, number>();
  private readonly byDigest = new Map<string, number>();
  private last = -1;

  numberOf(row: object): number {
    // Evaluations mostly list the rows of their dataset in the same order.
    const next = this.rows[this.last + 1]?.val;
    this.last = next !== undefined && isSame(row, next) ? this.last + 1 : this.find(row);
    return this.last;
  }

  private find(row: object): number {
    const text = JSON.stringify(row);
    const known = this.byText.get(text);
    if (known !== undefined) return known;
    const val = JSON.parse(text) as Json;
    const digest = rowDigest(val);
    // The same content may come with its keys in another order.
    const number = this.byDigest.get(digest) ?? this.rows.length;
    if (number === this.rows.length) {
      this.rows.push({ digest, val });
      this.digests.push(digest);
      this.byDigest.set(digest, number);
    }
    this.byText.set(text, number);
    return number;
  }
}

/** Whether a row obviously has this value: all its members are texts, in the same order. */
function isSame(row: object, value: Json): boolean {
  const names = Object.keys(value as object);
  let count = 0;
  for (const name in row) {
    const text: unknown = (row as { readonly [name: string]: unknown })[name];
    if (name !== names[count++] || typeof text !== "string") return false;
    if (text !== (value as { readonly [name: string]: Json })[name]) return false;
  }
  return count === names.length;
}
