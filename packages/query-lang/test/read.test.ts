import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Expr, interpretQuery, LIMITS, newBudget, printQuery, readQuery } from "../src/index.ts";
import { condition, damaged, runs } from "./arbitrary.ts";

const anyField = { at: [], field: () => undefined };
const read = (query: unknown) => readQuery(query, anyField);

/** The issues of an invalid query, each as `[code, ...path]`. */
function issuesOf(query: unknown) {
  const result = read(query);
  if (result.ok) throw new Error("the query is valid");
  return result.issues.map(({ code, path }) => [code, ...path]);
}

/** `{ $not: [{ $not: … }] }`, nested to `depth`, as the text of a query. */
const nested = (depth: number) =>
  `{"$expr":${'{"$not":['.repeat(depth - 1)}{"$or":[]}${"]}".repeat(depth - 1)}}`;

describe("readQuery", () => {
  test("reads a filter", () => {
    const query = {
      $expr: {
        $and: [
          {
            $gte: [
              { $convert: { input: { $getField: "scores.exact\\.match" }, to: "double" } },
              { $literal: 0.5 },
            ],
          },
          { $contains: { input: { $getField: "inputs.question" }, substr: { $literal: "how" } } },
        ],
      },
    };
    expect(read(query)).toEqual({
      ok: true,
      value: {
        kind: "and",
        operands: [
          {
            kind: "compare",
            op: "gte",
            left: {
              kind: "convert",
              to: "double",
              input: { kind: "field", path: ["scores", "exact.match"] },
            },
            right: { kind: "literal", value: 0.5 },
          },
          {
            kind: "contains",
            input: { kind: "field", path: ["inputs", "question"] },
            substr: { kind: "literal", value: "how" },
            caseInsensitive: false,
          },
        ],
      },
    });
  });

  test("starts every path at the query, and names the valid alternatives", () => {
    const at = ["body", "filters", 0, "query"];
    const field = (path: readonly string[]) => (path[0] === "scores" ? undefined : `there is no ${path[0]}`);
    expect(readQuery({ $expr: { $gt: [{ $getField: "score.x" }, 5] } }, { at, field })).toEqual({
      ok: false,
      issues: [
        { code: "value_error", path: [...at, "$expr", "$gt", 0, "$getField"], message: "there is no score" },
        {
          code: "dict_type",
          path: [...at, "$expr", "$gt", 1],
          message: expect.stringMatching(/^expected an object with \$literal, .* or \$contains, not 5$/),
        },
      ],
    });
  });

  test("a printed query parses to the same expression", () => {
    fc.assert(
      fc.property(condition, (expr) => {
        const wire = JSON.parse(JSON.stringify(printQuery(expr)));
        expect(read(wire)).toEqual({ ok: true, value: JSON.parse(JSON.stringify(expr)) });
        expect(read(printQuery(expr))).toEqual({ ok: true, value: expr });
      }),
      runs,
    );
  });

  test("a literal may be plain JSON or nested literals, and both read the same", () => {
    const value = (literal: unknown) => read({ $expr: { $eq: [{ $literal: literal }, { $literal: 0 }] } });
    const plain = value({ a: [1, null], b: { $literal: 2, c: 3 } });
    expect(plain.ok).toBe(true);
    expect(
      value({ a: [{ $literal: 1 }, { $literal: null }], b: { $literal: { $literal: 2, c: 3 } } }),
    ).toEqual(plain);
  });

  test("any damage to a query is either harmless or reported with its path", () => {
    fc.assert(
      fc.property(damaged(condition.map(printQuery)), (query) => {
        const result = read(query);
        if (result.ok) return void interpretQuery(result.value, () => 1);
        expect(result.issues.length).toBeGreaterThan(0);
        for (const { path, message } of result.issues) {
          expect(message).toMatch(/\S/);
          expect(reaches(query, path)).toBe(true);
        }
      }),
      runs,
    );
  });
});

describe("bounds", () => {
  test("nesting is read to the limit and refused beyond it, however deep", () => {
    const deep = (depth: number) =>
      JSON.parse(nested(depth).replace('"$or":[]', '"$or":[{"$literal":true}]'));
    expect(read(deep(LIMITS.depth - 1)).ok).toBe(true);
    expect(issuesOf(deep(LIMITS.depth))).toEqual([
      [
        "value_error",
        "$expr",
        ...Array(LIMITS.depth - 1)
          .fill(["$not", 0])
          .flat(),
        "$or",
        0,
      ],
    ]);
    const hostile = issuesOf(JSON.parse(nested(100_000)));
    expect(hostile).toHaveLength(1);
    expect(hostile[0]).toHaveLength(2 + 2 * LIMITS.depth);
  });

  test("a deep literal is refused without walking it", () => {
    const literal = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    expect(issuesOf({ $expr: { $eq: [{ $literal: literal }, { $literal: 1 }] } })).toHaveLength(1);
    const wrapped = JSON.parse(`${'{"$literal":'.repeat(100_000)}1${"}".repeat(100_000)}`);
    expect(issuesOf({ $expr: { $not: [wrapped] } })).toHaveLength(1);
  });

  test("too many operations are refused once, at the first excess one", () => {
    const query = (n: number) => ({ $expr: { $and: Array.from({ length: n }, () => ({ $getField: "a" })) } });
    expect(read(query(LIMITS.nodes - 1)).ok).toBe(true);
    expect(issuesOf(query(LIMITS.nodes))).toEqual([["value_error", "$expr", "$and", LIMITS.nodes - 1]]);
    expect(issuesOf({ $expr: { $in: [{ $literal: Array(LIMITS.nodes).fill(0) }, []] } })).toHaveLength(1);
  });

  test("the queries of a request share one budget", () => {
    const budget = newBudget();
    const query = { $expr: { $and: Array.from({ length: LIMITS.nodes / 2 }, () => ({ $getField: "a" })) } };
    const results = [1, 2, 3].map((i) => readQuery(query, { ...anyField, at: [i], budget }));
    expect(results.map(({ ok }) => ok)).toEqual([true, false, false]);
    for (const result of results.slice(1))
      expect(result).toMatchObject({ issues: [{ code: "value_error" }] });
  });

  test("a list of $in may have many literals, up to its limit", () => {
    const query = (n: number) => ({
      $expr: { $in: [{ $getField: "a" }, Array.from({ length: n }, (_, i) => ({ $literal: i }))] },
    });
    expect(read(query(LIMITS.listMembers)).ok).toBe(true);
    expect(issuesOf(query(LIMITS.listMembers + 1))).toEqual([["too_long", "$expr", "$in", 1]]);
  });

  test("a string, a path and a number have their limits", () => {
    const literal = (value: unknown) => ({ $expr: { $not: [{ $literal: value }] } });
    const field = (path: string) => ({ $expr: { $not: [{ $getField: path }] } });
    expect(read(literal("x".repeat(LIMITS.textLength))).ok).toBe(true);
    expect(issuesOf(literal("x".repeat(LIMITS.textLength + 1)))).toEqual([
      ["value_error", "$expr", "$not", 0, "$literal"],
    ]);
    expect(read(field(Array(LIMITS.pathSegments).fill("a").join("."))).ok).toBe(true);
    expect(
      issuesOf(
        field(
          Array(LIMITS.pathSegments + 1)
            .fill("a")
            .join("."),
        ),
      ),
    ).toEqual([["value_error", "$expr", "$not", 0, "$getField"]]);
    expect(issuesOf(literal(JSON.parse('[1, {"a": 1e400}]')))).toEqual([
      ["value_error", "$expr", "$not", 0, "$literal", 1, "a"],
    ]);
  });

  test("text that is not JSON is refused at its position", () => {
    for (const value of [undefined, 1n, Symbol("s"), () => 1, Number.NaN]) {
      expect(issuesOf({ $expr: { $not: [{ $literal: [value] }] } })).toEqual([
        ["value_error", "$expr", "$not", 0, "$literal", 0],
      ]);
    }
    const circle: unknown[] = [];
    circle.push({ $not: circle });
    expect(issuesOf({ $expr: { $not: circle } })).toHaveLength(1);
  });

  test("a refusal stays small, whatever the query", () => {
    const size = (query: unknown) => JSON.stringify(read(query)).length;
    const key = "k".repeat(100_000);
    expect(size({ $expr: { $and: Array(100_000).fill(1) } })).toBeLessThan(100_000);
    expect(size({ $expr: { $not: [{ $literal: { [key]: Array(1000).fill(Number.NaN) } }] } })).toBeLessThan(
      100_000,
    );
    expect(size(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key ${i}`, i])))).toBeLessThan(
      100_000,
    );
  });

  test("a __proto__ key is an ordinary key", () => {
    const query = JSON.parse('{"$expr":{"$eq":[{"$getField":"a"},{"$literal":{"__proto__":{"x":1}}}]}}');
    const result = read(query);
    const literal = result.ok ? ((result.value as { right: { value: object } }).right.value as object) : {};
    expect(Object.keys(literal)).toEqual(["__proto__"]);
    expect((literal as { x?: number }).x).toBeUndefined();
    expect(JSON.stringify(printQuery((result as { value: Expr }).value))).toBe(JSON.stringify(query));
  });
});

/** Whether `path` leads to a value in `query`, or to a missing key of one. */
function reaches(query: unknown, path: readonly (string | number)[]): boolean {
  let here = query;
  for (const key of path) {
    if (typeof here !== "object" || here === null) return false;
    here = (here as Record<string, unknown>)[key];
  }
  return true;
}
