// Builds projects from evaluations written as trees of calls, as in docs/reference/semantics.md, and queries them.
// Fields that a test does not mention get neutral values.

import { jsonText } from "@assay/base";
import { callOf } from "@assay/calls/testing";
import { expect } from "vitest";
import {
  type Call,
  createEvalEngine,
  type DatasetRow,
  type EvalResults,
  type EvalResultsQueryBody,
  memoryCalls,
  memoryRows,
} from "../../src/index.ts";
import { memorySegments } from "../../src/segment/memory-segments.ts";

/** A call and its child calls. */
export interface Tree {
  readonly call: Call;
  readonly children: readonly Tree[];
}

type Json = DatasetRow["val"];

/** The parts of a trial that tests vary; all optional. */
export interface TrialFields {
  /** `inputs.example`: a row of the dataset (`row("r1")`) or a value. Default `row("r1")`. */
  readonly of?: Json;
  /** `output.output`. */
  readonly output?: Json;
  /** `output.scores`. */
  readonly scores?: Json;
  /** The second at which it started. */
  readonly at?: number;
  /** Other fields of the call; they override those above. */
  readonly call?: Partial<Call>;
  readonly children?: readonly Tree[];
}

/** A reference to a dataset row. Its digest is `id`, which keeps expectations short. */
export function row(id: string): string {
  return `weave:///acme/demo/object/rows:v1/attr/rows/id/${id}`;
}

/** The time `second` seconds into the evaluation. */
export function at(second: number): string {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
}

export function call(id: string, fields: Partial<Call> = {}, children: readonly Tree[] = []): Tree {
  const dull = { trace_id: "trace-1", op_name: "weave:///acme/demo/op/something:v1", started_at: at(0) };
  return { call: callOf(id, null, { ...dull, ...fields }), children };
}

export function trial(id: string, fields: TrialFields = {}): Tree {
  const { of = row("r1"), output = null, scores = {}, at: second = 0, children = [] } = fields;
  return call(
    id,
    {
      op_name: "weave:///acme/demo/op/Evaluation.predict_and_score:v1",
      started_at: at(second),
      inputs: { model: "weave:///acme/demo/object/model:v1", example: of },
      output: { output, scores },
      ...fields.call,
    },
    children,
  );
}

/** An evaluation: a root call and its trials. */
export function evaluation(id: string, ...children: readonly Tree[]): Tree {
  return call(id, { op_name: "weave:///acme/demo/op/Evaluation.evaluate:v1" }, children);
}

/** An evaluation of one trial per row, written as `{ r1: scores, r2: scores }`. */
export function scored(id: string, rows: { readonly [rowId: string]: Json }): Tree {
  const trials = Object.entries(rows).map(([of, scores]) =>
    trial(`${id}-${of}`, { of: row(of), scores, output: `${id} of ${of}` }),
  );
  return evaluation(id, ...trials);
}

/** The calls of trees, each with its parent's id. */
export function callsOf(trees: readonly Tree[], parent: string | null = null): Call[] {
  return trees.flatMap(({ call, children }) => [
    { ...call, parent_id: call.parent_id ?? parent },
    ...callsOf(children, call.id),
  ]);
}

/**
 * Answers by every plan: the specification, columns built from the calls, and columns that another engine loads from
 * the store. All answers must be equal, byte for byte.
 */
export async function ask(
  trees: readonly Tree[],
  body: EvalResultsQueryBody,
  rows: readonly DatasetRow[] = [],
): Promise<EvalResults> {
  const parts = { calls: memoryCalls(callsOf(trees)), rows: memoryRows(rows), segments: memorySegments() };
  const specified = await createEvalEngine(parts).query("acme/demo", body, { plan: "naive" });
  for (const way of ["from the calls", "from the store"]) {
    const columns = await createEvalEngine(parts).query("acme/demo", body);
    expect(jsonText(columns), `columns ${way}`).toBe(jsonText(specified));
  }
  return specified;
}

/** The digests of an answer's rows, in order. */
export function digests({ rows }: EvalResults): string[] {
  return rows.map(({ row_digest }) => row_digest);
}

/** `["r1", "p1", "p2"]` for each row: its digest and the trials in it, in order. */
export function trialIds({ rows }: EvalResults): string[][] {
  return rows.map(({ row_digest, evaluations }) => [
    row_digest,
    ...evaluations.flatMap(({ trials }) => trials.map((trial) => trial.predict_and_score_call_id)),
  ]);
}

/** A filter on one field: `where("scores.s", "$gte", 0.5)`. */
export function where(field: string, op: string, literal: unknown, evaluation?: string) {
  return filter({ [op]: [{ $getField: field }, { $literal: literal }] }, evaluation);
}

export function filter($expr: unknown, evaluation?: string) {
  return { query: { $expr }, ...(evaluation === undefined ? {} : { evaluation_call_id: evaluation }) };
}
