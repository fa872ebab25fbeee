// The calls of evaluations that a program provided as objects.

import type { Json } from "@assay/base";
import { checkMembers, excerpt, type Members } from "@assay/base/internal";
import { type Call, type CallSource, type RowSource, rowIdOf } from "@assay/calls";
import { canonicalJson, type NumberedIds, textDigest } from "@assay/calls/internal";
import { numberedId } from "../columns/derived-texts.ts";
import { Texts } from "../columns/texts.ts";
import type { EvaluationFacts, EvaluationLog, LoggedTrial } from "./evaluation-log.ts";
import { errorText, jsonCopy } from "./json-copy.ts";

/** The project of the calls. */
export const LOCAL_PROJECT = "local/evaluations";

/** The number of trials in a batch. */
const BATCH = 1024;

/** A loaded evaluation. Later changes of its log do not affect it. */
export interface LoadedEvaluation {
  readonly name: string;
  readonly model: string | null;
  /** The reference to its dataset. */
  readonly self: string;
  readonly trials: Trials;
  /** The number of each trial's row in the table of all rows. */
  readonly rowOf: Uint32Array;
  /** The digests of all rows, by number. */
  readonly digests: Texts;
}

/** The trials of an evaluation: a list, or columns that make each on request. */
export interface Trials extends Pick<readonly Omit<LoggedTrial, "row">[], "length" | "at"> {
  /** For columns: undefined is a missing value. */
  readonly columns?: {
    readonly scores: readonly { readonly column: string; readonly cells: readonly unknown[] }[];
    readonly latency: readonly (number | undefined)[];
    readonly tokens: readonly (number | undefined)[];
  };
}

const MEMBERS: Members<LoggedTrial> = {
  ...{ row: "any", output: "any?", scores: "any?" },
  ...{ latency: "any?", tokens: "any?", error: "any?" },
};

/** Loads an evaluation, and puts its rows into `rows`. Throws a TypeError for an invalid trial. */
export function loadLog({ facts, trials }: EvaluationLog, rows: RowTable): LoadedEvaluation {
  const rowOf = new Uint32Array(trials.length);
  const loaded = trials.map((trial, i) => {
    const where = `trial ${i} of ${facts.name}`;
    checkMembers(where, trial, MEMBERS);
    const at = (name: string) => () => `${where}: ${name}`;
    rowOf[i] = rows.numberOf(trial.row, (row) => rowIn(row, at("row")));
    return {
      output: jsonCopy(trial.output, at("output")),
      scores: scoresIn(trial.scores, at("scores")),
      latency: numberIn(trial.latency, at("latency")),
      tokens: numberIn(trial.tokens, at("tokens")),
      error: errorText(trial.error, at("error")),
    };
  });
  return loadedEvaluation(facts, loaded, rowOf, rows);
}

function rowIn(row: unknown, where: () => string): Json {
  const copy = jsonCopy(row, where);
  if (typeof copy === "object" && copy !== null) return copy;
  throw new TypeError(`${where()} must be an object, the dataset's fields`);
}

function scoresIn(scores: unknown, where: () => string): object {
  const copy = jsonCopy(scores, where) ?? {};
  if (typeof copy === "object" && !Array.isArray(copy)) return copy;
  throw new TypeError(`${where()} must be an object, with the name of each score`);
}

/** An evaluation whose trials have these rows. */
export function loadedEvaluation(
  facts: EvaluationFacts,
  trials: Trials,
  rowOf: Uint32Array,
  { digests }: RowTable,
): LoadedEvaluation {
  const { name, model = null, dataset = "dataset" } = facts;
  const self = `weave:///${LOCAL_PROJECT}/object/${encodeURIComponent(dataset)}:v0`;
  return { name, model, self, trials, rowOf, digests };
}

/** A source of the calls of loaded evaluations; it builds each call on request. */
export function loggedCalls(loaded: ReadonlyMap<string, LoadedEvaluation>): CallSource {
  return {
    retains: true,
    version: () => 1,
    calls: (_, ids) => ids.map((id) => callWithId(loaded, id)),
    async *trees(_, root) {
      const evaluation = loaded.get(root);
      if (evaluation === undefined) return;
      for (let from = 0; from < evaluation.trials.length; from += BATCH)
        yield Array.from({ length: Math.min(BATCH, evaluation.trials.length - from) }, (_, i) => ({
          ...{ call: trialCall(evaluation, from + i), children: [] },
        }));
    },
    changes: () => [],
  };
}

/** The part of a reference to a row that comes before its digest. */
export const ROW_ID = "/attr/rows/id/";

const TRIAL = /^(.*)\/trial-(\d{9,})$/s;

function callWithId(loaded: ReadonlyMap<string, LoadedEvaluation>, id: string): Call | undefined {
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

/** The end of every evaluation, as in imports without times: all trials exist, and none is still running. */
const ENDED = "1970-01-01T00:00:00.000Z";

function rootCall({ name, model, self }: LoadedEvaluation): Call {
  return {
    ...UNKNOWN,
    ended_at: ENDED,
    id: name,
    parent_id: null,
    op_name: "Evaluation.evaluate",
    display_name: name,
    inputs: { self, model },
    output: null,
  };
}

function trialCall(evaluation: LoadedEvaluation, i: number): Call {
  const { name, model, self, trials, rowOf, digests } = evaluation;
  const trial = trials.at(i)!;
  const { tokens, error } = trial;
  return {
    id: numberedId(idsOf(evaluation), i),
    trace_id: null,
    parent_id: name,
    op_name: "Evaluation.predict_and_score",
    display_name: null,
    started_at: null,
    ended_at: null,
    inputs: { example: `${self}${ROW_ID}${digests.get(rowOf[i]!)}`, model },
    output: outputOf(trial),
    attributes: null,
    summary: typeof tokens === "number" ? { usage: { [model ?? "model"]: { total_tokens: tokens } } } : null,
    exception: isError(error) ? error : null,
    deleted_at: null,
  };
}

/** The ids of trials' calls: trials of a row without times are in their order. */
export function idsOf({ name }: LoadedEvaluation): NumberedIds {
  return { prefix: `${name}/trial-`, first: 0, digits: 9 };
}

/** The output of a trial's call. */
export function outputOf({ output = null, scores = {}, latency, error }: Omit<LoggedTrial, "row">): Json {
  const answer = isError(error)
    ? { output: null, scores: {} }
    : { output: output as Json, scores: scores as Json };
  return typeof latency === "number" ? { ...answer, model_latency: latency } : answer;
}

function isError(error: string | null | undefined): error is string {
  return error !== undefined && error !== null && error !== "";
}

/** A number of a trial; undefined if it is missing. Throws a TypeError for anything else. */
export function numberIn(value: unknown, where: () => string): number | undefined {
  const number = typeof value === "object" && value !== null ? value : jsonCopy(value, where);
  if (typeof number === "number") return number;
  if (number === null) return undefined;
  throw new TypeError(`${where()} must be a number, not ${excerpt(String(number))}`);
}

/** Stores each dataset row once under a number, and computes its digest once. */
export class RowTable implements RowSource {
  /** By number. */
  readonly digests: Texts = new Texts();
  private readonly values: Json[] = [];
  private readonly byDigest = new Map<string, number>();
  private last = -1;

  /** The number of a row, of which `copy` makes the JSON to keep. */
  numberOf<Row>(row: Row, copy: (row: Row) => Json): number {
    // Evaluations mostly list the rows of their dataset in the same order.
    this.last = isSame(row, this.values[this.last + 1]) ? this.last + 1 : this.find(copy(row));
    return this.last;
  }

  version(): number {
    return this.values.length;
  }

  rows(_project: string, refs: readonly string[]): (Json | undefined)[] {
    return refs.map((ref) => this.values[this.byDigest.get(rowIdOf(ref) ?? ref) ?? -1]);
  }

  private find(value: Json): number {
    // The same for equal contents, whose keys may come in another order.
    const digest = textDigest(canonicalJson(value));
    const known = this.byDigest.get(digest);
    if (known !== undefined) return known;
    this.byDigest.set(digest, this.values.length);
    this.digests.push(digest);
    return this.values.push(value) - 1;
  }
}

/** Whether a row obviously has this value: all its members are texts, in the same order. */
function isSame(row: unknown, value: Json | undefined): boolean {
  if (value === undefined || typeof row !== "object" || row === null) return false;
  const names = Object.keys(value as object);
  let count = 0;
  for (const name in row) {
    const text: unknown = (row as { readonly [name: string]: unknown })[name];
    if (name !== names[count++] || typeof text !== "string") return false;
    if (text !== (value as { readonly [name: string]: Json })[name]) return false;
  }
  return count === names.length;
}
