// Laws of every `EvalExecution`, for implementers: it must give the same answers as the executable specification.

import type { Law, Open } from "@assay/base";
import { expectSame, lawsFor } from "@assay/base/internal";
import { type Call, type DatasetRow, memoryCalls, memoryRows } from "@assay/calls";
import { callOf } from "@assay/calls/testing";
import { createEvalEngine } from "../execute/engine.ts";
import type { EvalExecution } from "../ports/execution.ts";
import type { EvalResultsQueryBody } from "../query/request.ts";

/** An execution under test, with writers for its calls and dataset rows. */
export interface FedExecution {
  /** The execution to check. */
  readonly execution: EvalExecution;
  /** Writes calls; a call with an existing ID replaces it. Once it resolves, the execution must see them. */
  readonly putCalls: (project: string, calls: readonly Call[]) => Promise<void>;
  /** Writes dataset rows in the same way. */
  readonly putRows: (project: string, rows: readonly DatasetRow[]) => Promise<void>;
}

/** The laws of an `EvalExecution`. `open` creates one over empty stores each time. */
export function executionLaws(open: Open<FedExecution>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("an unknown evaluation has no rows, and an empty summary", async ({ execution }) => {
      const answer = await execution.answer(P, { evaluation_call_ids: ["unknown"], include_summary: true });
      expectSame(answer, {
        ok: true,
        value: { rows: [], total_rows: 0, summary: { row_count: 0, evaluations: [] }, warnings: [] },
      });
    }),

    law("without evaluations there are no rows, and an empty summary", async ({ execution, putCalls }) => {
      await putCalls(P, CALLS);
      const answer = await execution.answer(P, { include_summary: true });
      expectSame(answer, {
        ok: true,
        value: { rows: [], total_rows: 0, summary: { row_count: 0, evaluations: [] }, warnings: [] },
      });
    }),

    law("an invalid body is answered with all of its issues", async ({ execution }) => {
      const body = { limit: -1, sort_by: [{ field: "row_digest", direction: "up" }], filters: [{}] };
      const answer = await execution.answer(P, body);
      expectSame(answer, await specification(CALLS, ROWS, body));
      expectSame(answer.ok, false);
    }),

    ...Object.entries(REQUESTS).map(([name, body]) =>
      law(`answers as the specification does: ${name}`, async ({ execution, putCalls, putRows }) => {
        await putRows(P, ROWS);
        await putCalls(P, CALLS);
        expectSameText(await execution.answer(P, body), await specification(CALLS, ROWS, body));
      }),
    ),

    law("calls may arrive in any order, and a running evaluation is visible", async (fed) => {
      const backwards = CALLS.toReversed();
      for (let at = 0; at < backwards.length; at += 8) {
        await fed.putCalls(P, backwards.slice(at, at + 8));
        const soFar = backwards.slice(0, at + 8);
        const body = { ...EVERYTHING, sort_by: [{ field: "scores.quality", direction: "desc" as const }] };
        expectSameText(await fed.execution.answer(P, body), await specification(soFar, [], body));
      }
    }),

    law("the last write of a call counts, also if it moves or deletes the call", async (fed) => {
      await fed.putCalls(P, CALLS);
      const later = CALLS.flatMap((call): Call[] => {
        if (call.id === "a-1") return [{ ...call, output: { output: "new", scores: { quality: 0.9 } } }];
        if (call.id === "a-2") return [{ ...call, deleted_at: "2026-02-01T00:00:00Z" }];
        if (call.id === "a-3") return [{ ...call, parent_id: "b" }];
        if (call.id === "b-1") return [{ ...call, inputs: { model: "m", example: { q: 99 } } }];
        if (call.id === "b-2-predict") return [{ ...call, deleted_at: "2026-02-01T00:00:00Z" }];
        return [];
      });
      expectSame(later.length, 5);
      await fed.putCalls(P, later);
      const now = CALLS.map((call) => later.find(({ id }) => id === call.id) ?? call);
      expectSameText(await fed.execution.answer(P, EVERYTHING), await specification(now, [], EVERYTHING));
    }),

    law("dataset rows may arrive after the calls that refer to them", async (fed) => {
      await fed.putCalls(P, CALLS);
      const body = REQUESTS["a filter on dataset rows"]!;
      await fed.execution.answer(P, body);
      await fed.putRows(P, ROWS);
      expectSameText(await fed.execution.answer(P, body), await specification(CALLS, ROWS, body));
    }),

    law("projects do not see each other", async ({ execution, putCalls, putRows }) => {
      await putCalls("acme/other", CALLS);
      await putRows("acme/other", ROWS);
      expectSameText(await execution.answer(P, EVERYTHING), await specification([], [], EVERYTHING));
    }),

    law("a cancelled question is not answered", async ({ execution, putCalls }) => {
      await putCalls(P, CALLS);
      const gone = execution.answer(P, EVERYTHING, { signal: { aborted: true } });
      const code = await gone.then(
        () => "answered",
        (error: unknown) => (error as { readonly code?: unknown }).code,
      );
      expectSame(code, "cancelled");
    }),
  ];
}

const P = "acme/demo";

/** Compared as text, because the order of keys matters too. */
function expectSameText(actual: unknown, expected: unknown): void {
  expectSame(JSON.parse(JSON.stringify(actual)), JSON.parse(JSON.stringify(expected)));
  expectSame(JSON.stringify(actual), JSON.stringify(expected));
}

function specification(
  calls: readonly Call[],
  rows: readonly DatasetRow[],
  body: unknown,
): ReturnType<EvalExecution["answer"]> {
  const source = memoryCalls();
  source.put(P, calls);
  const engine = createEvalEngine({ calls: source, rows: memoryRows(rows) });
  return engine.answer(P, body, { plan: "naive" });
}

const REFERENCE = "weave:///acme/demo/object/rows:v1/attr/rows/id/";

const ROWS: readonly DatasetRow[] = [
  { digest: "r1", val: { q: "What is π?", topic: "math", weight: 2 } },
  { digest: "r2", val: { q: "Who?", topic: "history", tags: ["a", { b: 1 }] } },
  { digest: "r3", ref: `${REFERENCE}r1`, val: { q: "By reference", topic: "law" } },
];

function call(id: string, parent: string | null, op_name: string, fields: Partial<Call> = {}): Call {
  return callOf(id, parent, { op_name, ended_at: "2026-01-01T00:00:02.5Z", ...fields });
}

const EXAMPLES = [
  `${REFERENCE}r1`,
  `${REFERENCE}r2`,
  `${REFERENCE}none`,
  { q: 7, topic: "math" },
  "a text",
  null,
];
const SCORES: readonly Call["output"][] = [
  { quality: 0.1, pass: true, judge: { reason: "good", "a.b": 1 } },
  { quality: 0.2, pass: false, judge: { reason: "bad", a: { b: 2 } } },
  { quality: "0.30", pass: null },
  { pass: "true", quality: 1e21, list: [1, 2] },
  [],
  { quality: 123456789.123, pass: true, "odd key": 3, "": 1e-9 },
];

const CALLS: readonly Call[] = ["a", "b"].flatMap((evaluation, e) => [
  call(evaluation, null, "weave:///acme/demo/op/Evaluation.evaluate:v1", {
    inputs: { self: "weave:///acme/demo/object/eval:v1", model: "m" },
    display_name: evaluation === "a" ? "first" : null,
  }),
  ...Array.from({ length: 8 }, (_, n) => {
    const id = `${evaluation}-${n}`;
    const scores = SCORES[(n + e) % SCORES.length]!;
    return [
      call(id, evaluation, "weave:///acme/demo/op/Evaluation.predict_and_score:v1", {
        started_at: n === 5 ? null : `2026-01-01T00:00:0${n % 4}Z`,
        inputs: { model: "m", example: EXAMPLES[n % EXAMPLES.length]! },
        output:
          n === 7
            ? null
            : { [n % 2 === 0 ? "output" : "model_output"]: [{ label: n }, "Straße", n][n % 3]!, scores },
      }),
      call(`${id}-predict`, id, "weave:///acme/demo/op/model.predict:v1", {
        summary: { usage: { gpt: { total_tokens: n * 10 } } },
      }),
      call(`${id}-score`, id, "weave:///acme/demo/op/quality.score:v1"),
    ];
  }).flat(),
]);

const EVERYTHING: EvalResultsQueryBody = {
  evaluation_call_ids: ["a", "b"],
  include_raw_data_rows: true,
  resolve_row_refs: true,
  include_summary: true,
};

const field = (name: string): object => ({ $getField: name });
const literal = (value: unknown): object => ({ $literal: value });

/** One request for each part of the query, by its topic. */
const REQUESTS: Readonly<Record<string, EvalResultsQueryBody>> = {
  everything: EVERYTHING,
  "without the children": { ...EVERYTHING, include_predict_and_score_children: false },
  "a page": { ...EVERYTHING, limit: 2, offset: 1 },
  "an empty page": { ...EVERYTHING, limit: 0 },
  "no rows": { ...EVERYTHING, include_rows: false },
  "rows that all have, and a wider summary": {
    ...EVERYTHING,
    require_intersection: true,
    summary_require_intersection: false,
  },
  "sorted by the mean of a score": {
    ...EVERYTHING,
    sort_by: [{ field: "scores.quality", direction: "desc" }],
  },
  "sorted by the difference of a score": {
    ...EVERYTHING,
    sort_by: [{ field: "scores.quality", direction: "asc", mode: "difference" }],
  },
  "sorted by a text, then by a field of the row": {
    ...EVERYTHING,
    sort_by: [
      { field: "scores.judge.reason", direction: "desc", evaluation_call_id: "b" },
      { field: "inputs.topic", direction: "asc" },
    ],
  },
  "a filter on a score, in any evaluation": {
    ...EVERYTHING,
    filters: [{ query: { $expr: { $gte: [field("scores.quality"), literal(0.2)] } } }],
  },
  "filters of one evaluation and of all, in all evaluations": {
    ...EVERYTHING,
    filters: [
      { evaluation_call_id: "a", query: { $expr: { $not: [field("scores.pass")] } } },
      {
        query: {
          $expr: { $contains: { input: field("outputs"), substr: literal("SS"), case_insensitive: true } },
        },
      },
    ],
    filter_logic_operator: "and",
  },
  "a filter on dataset rows": {
    ...EVERYTHING,
    filters: [{ query: { $expr: { $in: [field("inputs.topic"), [literal("math"), literal("law")]] } } }],
  },
  "a filter that asks for equal objects": {
    ...EVERYTHING,
    filters: [
      {
        query: {
          $expr: {
            $or: [
              { $eq: [field("outputs"), literal({ label: 0 })] },
              { $eq: [field("inputs.tags"), literal(["a", { b: 1 }])] },
            ],
          },
        },
      },
    ],
  },
  "a filter that converts": {
    ...EVERYTHING,
    filters: [
      {
        query: {
          $expr: {
            $and: [
              { $eq: [{ $convert: { input: field("scores.quality"), to: "exists" } }, literal(true)] },
              { $gt: [{ $convert: { input: field("scores.quality"), to: "string" } }, literal("0.15")] },
            ],
          },
        },
      },
    ],
  },
  "a scope outside of the requested evaluations": {
    ...EVERYTHING,
    filters: [{ evaluation_call_id: "c", query: { $expr: { $eq: [field("row_digest"), literal("r1")] } } }],
    filter_logic_operator: "and",
  },
};
