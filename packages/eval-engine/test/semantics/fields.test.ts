// docs/reference/semantics.md, "Fields" and "Comparing": what a filter reads from a trial, and how it compares values.

import { readFileSync } from "node:fs";
import { some } from "@assay/testing/cases";
import { describe, expect, test } from "vitest";
import type { DatasetRow } from "../../src/index.ts";
import { ask, digests, evaluation, filter, row, scored, type TrialFields, trial, where } from "./project.ts";

type Json = DatasetRow["val"];

/** Whether the only trial of a project passes a filter. */
async function passes(of: TrialFields, $expr: unknown, rows: readonly DatasetRow[] = []): Promise<boolean> {
  const body = { evaluation_call_ids: ["e1"], filters: [filter($expr)] };
  return (await ask([evaluation("e1", trial("a", of))], body, rows)).total_rows === 1;
}

const equal = (field: string, literal: Json) => ({ $eq: [{ $getField: field }, { $literal: literal }] });
const isNull = (field: string) => equal(field, null);

describe("fields", () => {
  test("scores.<path> is a path in the trial's scores", async () => {
    const of = { scores: { judge: { grade: "good", list: [1, [2]] }, "a.b": 1 } };
    expect(await passes(of, equal("scores.judge.grade", "good"))).toBe(true);
    expect(await passes(of, equal("scores.judge.list.1.0", 2))).toBe(true);
    expect(await passes(of, equal("scores.a\\.b", 1))).toBe(true);
    expect(await passes(of, isNull("scores.a.b"))).toBe(true);
  });

  test("outputs is the model's output, outputs.<path> a path in it", async () => {
    expect(await passes({ output: "yes" }, equal("outputs", "yes"))).toBe(true);
    expect(await passes({ output: { a: { b: 1 } } }, equal("outputs.a.b", 1))).toBe(true);
    expect(await passes({ output: [5, 6] }, equal("outputs.1", 6))).toBe(true);
    expect(await passes({ call: { output: { model_output: { a: 1 } } } }, equal("outputs.a", 1))).toBe(true);
  });

  test("output.<path> is a path in the whole output of the call", async () => {
    const output = { output: { label: "x" }, scores: { s: 1 }, model_latency: { mean: 0.5 } };
    expect(await passes({ call: { output } }, equal("output.output.label", "x"))).toBe(true);
    expect(await passes({ call: { output } }, equal("output.model_latency.mean", 0.5))).toBe(true);
    expect(await passes({ call: { output } }, equal("output.scores.s", 1))).toBe(true);
  });

  test("inputs is the inline example", async () => {
    expect(await passes({ of: { q: "2+2?" } }, equal("inputs.q", "2+2?"))).toBe(true);
    expect(await passes({ of: "plain text" }, equal("inputs", "plain text"))).toBe(true);
  });

  test("inputs is otherwise the dataset row that the example refers to, regardless of resolve_row_refs", async () => {
    const rows = [{ digest: "r1", val: { q: "2+2?" } }];
    expect(await passes({ of: row("r1") }, equal("inputs.q", "2+2?"), rows)).toBe(true);
    expect(await passes({ of: row("r1") }, equal("inputs", { q: "2+2?" }), rows)).toBe(true);
    expect(await passes({ of: row("r1") }, isNull("inputs"), [{ digest: "r1", val: null }])).toBe(true);
  });

  test("inputs is the reference itself if it does not resolve", async () => {
    expect(await passes({ of: row("r1") }, equal("inputs", row("r1")))).toBe(true);
    expect(await passes({ of: row("r1") }, isNull("inputs.q"))).toBe(true);
  });

  test("row_digest is the digest", async () => {
    expect(await passes({ of: row("r1") }, equal("row_digest", "r1"))).toBe(true);
  });

  test("missing and null are equal", async () => {
    for (const scores of [{}, { s: null }, { s: {} }, { s: [] }, { s: "text" }, null]) {
      expect(await passes({ scores }, isNull("scores.s.a")), JSON.stringify(scores)).toBe(true);
    }
  });

  test("only a plain non-negative integer indexes an array", async () => {
    const of = { output: ["first"] };
    expect(await passes(of, equal("outputs.0", "first"))).toBe(true);
    for (const index of ["00", "-0", "+0", "0x0", "1", "length"]) {
      expect(await passes(of, isNull(`outputs.${index}`)), index).toBe(true);
    }
  });

  test("an object's own keys are its only ones", async () => {
    for (const key of ["constructor", "__proto__", "toString"]) {
      expect(await passes({ output: {} }, isNull(`outputs.${key}`)), key).toBe(true);
      const own = JSON.parse(`{"${key}": 7}`) as Json;
      expect(await passes({ output: own }, equal(`outputs.${key}`, 7)), key).toBe(true);
      expect(await passes({ scores: own }, equal(`scores.${key}`, 7)), key).toBe(true);
    }
  });
});

// The query language's test cases are rows of [expression, document, expected result]. Here the document becomes a
// trial's output, its scores or its row, and the columns answer.
const cases = (file: string): [string, [Json, Json, boolean | null][]][] =>
  Object.entries(
    JSON.parse(
      readFileSync(new URL(`../../../query-lang/test/conformance/${file}.json`, import.meta.url), "utf8"),
    ),
  );

/** The expression with every field prefixed by `root`. */
function below(root: string, expression: Json): Json {
  return JSON.parse(JSON.stringify(expression), (key, value) =>
    key === "$getField" ? `${root}.${value}` : value,
  ) as Json;
}

// The three have columns of their own but share the comparison code.
describe.each(some(["outputs", "scores", "inputs"]))(
  "the test cases of the query language, for %s",
  (root) => {
    const trialOf = (document: Json): TrialFields =>
      root === "outputs" ? { output: document } : root === "scores" ? { scores: document } : { of: document };

    test.each(["fields", "comparing", "in", "contains", "logic", "convert"].flatMap(cases))(
      "%s",
      async (_, rows) => {
        for (const [expression, document, holds] of rows) {
          const expr = below(root, expression);
          const of = trialOf(document);
          const found = { yes: await passes(of, expr), no: await passes(of, { $not: [expr] }) };
          expect({ expr, document, ...found }).toEqual({
            expr,
            document,
            yes: holds === true,
            no: holds === false,
          });
        }
      },
    );
  },
);

describe("mixed values in one column", () => {
  const values = { a: 1, b: "1", c: true, d: "true", e: "x", f: [1], g: null, h: 10, i: "9", j: {} };
  const calls = [scored("e1", Object.fromEntries(Object.entries(values).map(([id, s]) => [id, { s }])))];
  const kept = async (op: string, literal: Json): Promise<string> =>
    digests(
      await ask(calls, { evaluation_call_ids: ["e1"], filters: [where("scores.s", op, literal)] }),
    ).join("");

  test("a number reads booleans as 1 and 0, and strings that are JSON numbers", async () => {
    expect(await kept("$eq", 1)).toBe("abc");
    expect(await kept("$gte", 9)).toBe("hi");
  });

  test("a boolean reads 1 and 0, and the texts true and false", async () => {
    expect(await kept("$eq", true)).toBe("acd");
  });

  test("a string reads everything but null as text, and orders it by code point", async () => {
    expect(await kept("$eq", "1")).toBe("ab");
    expect(await kept("$eq", "true")).toBe("cd");
    expect(await kept("$eq", "[1]")).toBe("f");
    expect(await kept("$lt", "2")).toBe("abh");
    expect(await kept("$gte", "x")).toBe("ej");
  });

  test("null is equal only to null", async () => {
    expect(await kept("$eq", null)).toBe("g");
    expect(await kept("$lte", null)).toBe("");
  });

  test("lists and objects can only be equal, not ordered", async () => {
    expect(await kept("$eq", [1])).toBe("f");
    expect(await kept("$eq", {})).toBe("j");
    expect(await kept("$gte", [1])).toBe("");
  });

  test("two fields compare without conversion", async () => {
    const calls = [
      scored("e1", {
        a: { x: 1, y: 2 },
        b: { x: "1", y: 2 },
        c: { x: true, y: 2 },
        d: { x: "1", y: "2" },
        e: {},
      }),
    ];
    const $lt = [{ $getField: "scores.x" }, { $getField: "scores.y" }];
    expect(digests(await ask(calls, { evaluation_call_ids: ["e1"], filters: [filter({ $lt })] }))).toEqual([
      "a",
      "c",
      "d",
    ]);
  });
});
