// docs/reference/semantics.md, "One trial": where each field of a trial comes from.

import { describe, expect, test } from "vitest";
import type { EvalResultsTrial } from "../../src/index.ts";
import { ask, at, call, evaluation, type Tree, type TrialFields, trial } from "./project.ts";

const MODEL = "weave:///acme/demo/object/model:v1";

/** The trial of a project with a single trial. */
async function read(fields: TrialFields, body: object = {}): Promise<EvalResultsTrial> {
  const { rows } = await ask([evaluation("e1", trial("p1", fields))], {
    evaluation_call_ids: ["e1"],
    ...body,
  });
  return rows[0]!.evaluations[0]!.trials[0]!;
}

/** The same trial, without reading its children. */
const readAlone = (fields: TrialFields): Promise<EvalResultsTrial> =>
  read(fields, { include_predict_and_score_children: false });

const predict = (id: string, fields: Parameters<typeof call>[1] = {}): Tree =>
  call(id, { op_name: "weave:///acme/demo/op/MyModel.predict:v1", ...fields });

test("every field is present, even if nothing was logged", async () => {
  expect(await read({ call: { output: null } })).toEqual({
    predict_and_score_call_id: "p1",
    predict_call_id: null,
    model_output: null,
    scores: {},
    model_latency_seconds: null,
    total_tokens: null,
    scorer_call_ids: {},
    genai_span_ref: null,
  });
});

describe("model_output", () => {
  test.each([
    ["is output.output", { output: "a", scores: {} }, "a"],
    [
      "is otherwise output.model_output, where the TypeScript SDK writes it",
      { model_output: { b: 1 } },
      { b: 1 },
    ],
    ["is null when output.output is null, whatever else is present", { output: null, model_output: 1 }, null],
    ["may be false", { output: false, model_output: 1 }, false],
    ["is null for an output that is not an object", "text", null],
    ["is null for an output that is a list", ["output"], null],
  ])("%s", async (_, output, expected) => {
    expect((await read({ call: { output } })).model_output).toEqual(expected);
  });
});

describe("scores", () => {
  test.each([
    ["are output.scores", { scores: { s: 1, t: { u: null } } }, { s: 1, t: { u: null } }],
    ["are empty when that is a list", { scores: [1] }, {}],
    ["are empty when that is null", { scores: null }, {}],
    ["are empty when that is text", { scores: "s" }, {}],
  ])("%s", async (_, output, expected) => {
    expect((await read({ call: { output } })).scores).toEqual(expected);
  });
});

describe("predict_call_id is the first child that", () => {
  const found = async (...children: Tree[]): Promise<string | null> =>
    (await read({ children })).predict_call_id;

  test("has inputs.self equal to the trial's inputs.model", async () => {
    expect(await found(call("other"), call("run", { inputs: { self: MODEL } }))).toBe("run");
  });

  test("is named after predict or invoke, in upper or lower case", async () => {
    expect(await found(call("a", { op_name: "MyModel.PREDICT_one" }))).toBe("a");
    expect(await found(call("a", { op_name: "weave:///acme/demo/op/chain-Invoke:v1" }))).toBe("a");
    expect(await found(call("a", { op_name: "weave:///predict/invoke/op/other:v1" }))).toBe(null);
  });

  test("has the op that the trial's inputs.model refers to, for a model that is a plain function", async () => {
    const model = "weave:///acme/demo/op/answer:v2";
    const inputs = { model, example: null };
    const withModel = async (...names: string[]): Promise<string | null> => {
      const children = names.map((op_name) => call(op_name, { op_name, started_at: at(1) }));
      return (await read({ call: { inputs }, children })).predict_call_id;
    };
    expect(await withModel("weave:///acme/demo/op/judge:v1", model)).toBe(model);
    expect(await withModel("weave:///acme/demo/op/answer:v1")).toBe(null);
    expect(await withModel("answer")).toBe(null);
    const marked = call("a", { op_name: model, attributes: { weave: { score: true } } });
    expect((await read({ call: { inputs }, children: [marked] })).predict_call_id).toBe(null);
    // A bare name is not a reference, so a child with the same name is not the model's call.
    const bare = { call: { inputs: { model: "answer" } }, children: [call("a", { op_name: "answer" })] };
    expect((await read(bare)).predict_call_id).toBe(null);
  });

  test("is first by start, then by id", async () => {
    const [late, early] = [predict("a", { started_at: at(2) }), predict("b", { started_at: at(1) })];
    expect(await found(late, early)).toBe("b");
    expect(await found(predict("b"), predict("a"))).toBe("a");
    // Microseconds and the UTC offset count.
    const [x, y] = ["2026-01-01T00:00:00.000002Z", "2026-01-01T01:00:00.000001+01:00"];
    expect(await found(predict("x", { started_at: x }), predict("y", { started_at: y }))).toBe("y");
    // Calls that never started sort last.
    expect(await found(predict("a", { started_at: null }), predict("b"))).toBe("b");
  });

  test("is live", async () => {
    expect(await found(predict("a", { deleted_at: at(9) }), predict("b"))).toBe("b");
  });

  test.each([
    [{ weave: { score: true } }],
    [{ weave: { score: "true" } }],
    [{ _weave_eval_meta: { score: true } }],
    [{ _weave_eval_meta: { score: 1 } }],
  ])("is not marked as a scorer: %j", async (attributes) => {
    expect(await found(predict("a", { attributes, inputs: { self: MODEL } }))).toBe(null);
  });

  test.each([
    [{ weave: { score: "yes" } }],
    [{ weave: { score: 1 } }],
    [{ _weave_eval_meta: { score: false } }],
  ])("%j does not mark a scorer", async (attributes) =>
    expect(await found(predict("a", { attributes }))).toBe("a"),
  );

  test("equal inputs may be objects with keys in any order; missing inputs equal nothing", async () => {
    const model = { name: "m", temperature: 0 };
    const self = { temperature: 0, name: "m" };
    const inputs = { model, example: null };
    const children = [call("a", { inputs: { self } })];
    expect((await read({ call: { inputs }, children })).predict_call_id).toBe("a");
    expect((await read({ call: { inputs: { example: null } }, children: [call("a")] })).predict_call_id).toBe(
      null,
    );
  });
});

describe("model_latency_seconds", () => {
  const timed = predict("run", { started_at: at(1), ended_at: at(3.25) });
  const output = (model_latency: unknown) => ({ call: { output: { model_latency } as never } });

  test("is the duration of the predict child", async () => {
    expect((await read({ ...output({ mean: 9 }), children: [timed] })).model_latency_seconds).toBe(2.25);
  });

  test("is exact to the microsecond", async () => {
    const child = predict("run", {
      started_at: "2026-01-01T00:00:00.000001Z",
      ended_at: "2026-01-01T00:00:01.000004Z",
    });
    expect((await read({ children: [child] })).model_latency_seconds).toBe(1.000003);
  });

  test("is otherwise output.model_latency.mean, or output.model_latency if that is a number", async () => {
    expect((await read(output({ mean: 0.5 }))).model_latency_seconds).toBe(0.5);
    expect((await read(output(0.25))).model_latency_seconds).toBe(0.25);
    expect((await read(output("slow"))).model_latency_seconds).toBe(null);
    const unfinished = predict("run", { ended_at: null });
    expect((await read({ ...output({ mean: 0.5 }), children: [unfinished] })).model_latency_seconds).toBe(
      0.5,
    );
  });

  test("is only the latter if children are not read", async () => {
    expect((await readAlone({ ...output({ mean: 9 }), children: [timed] })).model_latency_seconds).toBe(9);
  });
});

describe("total_tokens", () => {
  const usage = (...counts: (number | null)[]) => ({
    summary: { usage: Object.fromEntries(counts.map((total_tokens, i) => [`model-${i}`, { total_tokens }])) },
  });

  test("is the sum over the predict child's usage", async () => {
    expect((await read({ children: [predict("run", usage(10, 5))] })).total_tokens).toBe(15);
    expect((await read({ children: [predict("run", usage(10, null))] })).total_tokens).toBe(10);
  });

  test("is a whole number: each count is truncated before they are added", async () => {
    expect((await read({ children: [predict("run", usage(2.9, 3.9))] })).total_tokens).toBe(5);
    expect((await read({ call: usage(0.5, 0.5) })).total_tokens).toBe(0);
  });

  test("keeps 0, and is null when none reports it", async () => {
    expect((await read({ children: [predict("run", usage(0))] })).total_tokens).toBe(0);
    expect((await read({ children: [predict("run", usage(null))] })).total_tokens).toBe(null);
    expect((await read({ children: [predict("run", usage())] })).total_tokens).toBe(null);
  });

  test("is the trial's own only when there is no predict child", async () => {
    expect((await read({ call: usage(7) })).total_tokens).toBe(7);
    expect((await read({ call: usage(7), children: [predict("run")] })).total_tokens).toBe(null);
    expect((await readAlone({ call: usage(7), children: [predict("run", usage(3))] })).total_tokens).toBe(7);
  });
});

describe("scorer_call_ids", () => {
  const scorers = async (keys: string[], ...names: string[]): Promise<object> => {
    const children = names.map((op_name, i) => call(`${i}`, { op_name, started_at: at(i) }));
    const scores = Object.fromEntries(keys.map((key) => [key, 1]));
    return (await read({ scores, children })).scorer_call_ids;
  };

  test("have the first scorer child whose op name contains the key", async () => {
    expect(await scorers(["judge"], "JudgeScorer", "judge_scorer")).toEqual({ judge: "0" });
  });

  test("have the first scorer child whose op name is contained in the key", async () => {
    expect(await scorers(["my_length_scorer_v2"], "length_scorer")).toEqual({ my_length_scorer_v2: "0" });
  });

  test("prefer an exact match, with or without .score", async () => {
    expect(await scorers(["judge"], "judge_scorer", "weave:///acme/demo/op/judge.score:v2")).toEqual({
      judge: "1",
    });
    expect(await scorers(["scorer"], "my_scorer", "scorer")).toEqual({ scorer: "1" });
  });

  test("have one call per key", async () => {
    expect(await scorers(["exact", "fuzzy", "other"], "fuzzy.score", "exact.score")).toEqual({
      exact: "1",
      fuzzy: "0",
    });
  });

  test("recognise a scorer child by mark or by name", async () => {
    expect(await scorers(["judge"], "judge")).toEqual({});
    const marked = call("m", { op_name: "judge", attributes: { weave: { score: "true" } } });
    expect((await read({ scores: { judge: 1 }, children: [marked] })).scorer_call_ids).toEqual({
      judge: "m",
    });
  });

  test("are none when children are not read", async () => {
    const children = [call("s", { op_name: "judge.score" }), predict("run")];
    expect(await readAlone({ scores: { judge: 1 }, children })).toMatchObject({
      predict_call_id: null,
      scorer_call_ids: {},
    });
  });
});

describe("genai_span_ref", () => {
  const span = { trace_id: "t", span_id: "s" };
  const other = { trace_id: "t", span_id: "other" };
  const attributes = (genai_span_ref: unknown) => ({ attributes: { weave: { genai_span_ref } } as never });
  const summary = (genai_span_ref: unknown) => ({ summary: { weave: { genai_span_ref } } as never });
  const spans = async (fields: TrialFields) => (await read(fields)).genai_span_ref;

  test("is a list or one object", async () => {
    expect(await spans({ call: attributes([span, other]) })).toEqual([span, other]);
    expect(await spans({ call: attributes(span) })).toEqual([span]);
  });

  test("comes from attributes, else from the summary", async () => {
    expect(await spans({ call: { ...attributes([span]), ...summary([other]) } })).toEqual([span]);
    expect(await spans({ call: summary([other]) })).toEqual([other]);
  });

  test("is that of the predict child, then that of the trial, each once", async () => {
    expect(await spans({ call: attributes([other]), children: [predict("run", summary([span]))] })).toEqual([
      span,
      other,
    ]);
    const both = [predict("run", attributes([span, other]))];
    expect(await spans({ call: summary([other, span]), children: both })).toEqual([span, other]);
    expect(await spans({ children: both })).toEqual([span, other]);
    expect(await spans({ call: attributes([other]), children: [predict("run")] })).toEqual([other]);
    const alone = await readAlone({ call: attributes([other]), children: [predict("run", summary([span]))] });
    expect(alone.genai_span_ref).toEqual([other]);
  });

  test("drops duplicates and values that are not references; an empty list is null", async () => {
    const noise = [null, "t", { trace_id: "t" }, { trace_id: 1, span_id: "s" }];
    expect(await spans({ call: attributes([...noise, span, { ...span, more: 1 }, other]) })).toEqual([
      span,
      other,
    ]);
    expect(await spans({ call: attributes(noise) })).toBe(null);
    expect(await spans({ call: attributes([]) })).toBe(null);
  });
});
