// Expressions in text form: their meaning, their errors with positions, and that reading and printing agree.

import type { Json } from "@assay/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Expr,
  pointAt,
  printExpression,
  printQuery,
  readExpression,
  readQuery,
  readSort,
} from "../src/index.ts";
import { printSort } from "../src/text/sort-text.ts";
import { condition, path, runs } from "./arbitrary.ts";

/** The wire format of a text's query. */
function wire(text: string): Json {
  const read = readExpression(text);
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return (printQuery(read.value) as { $expr: Json }).$expr;
}

const field = (name: string) => ({ $getField: name });
const literal = (value: Json) => ({ $literal: value });
const contains = (substr: string, case_insensitive: boolean) => ({
  $contains: { input: field("a"), substr: literal(substr), case_insensitive },
});

describe("a text", () => {
  test.each<[string, Json]>([
    [
      'inputs.category = "math" and scores.quality < 0.5',
      {
        $and: [
          { $eq: [field("inputs.category"), literal("math")] },
          { $lt: [field("scores.quality"), literal(0.5)] },
        ],
      },
    ],
    ["a != 1", { $not: [{ $eq: [field("a"), literal(1)] }] }],
    ["a <> 1", { $not: [{ $eq: [field("a"), literal(1)] }] }],
    ["a == 'it\\'s'", { $eq: [field("a"), literal("it's")] }],
    ["5 >= a", { $gte: [literal(5), field("a")] }],
    [
      "a = 1 or b = 2 and c = 3",
      {
        $or: [
          { $eq: [field("a"), literal(1)] },
          { $and: [{ $eq: [field("b"), literal(2)] }, { $eq: [field("c"), literal(3)] }] },
        ],
      },
    ],
    ["NOT (a = 1 OR b)", { $not: [{ $or: [{ $eq: [field("a"), literal(1)] }, field("b")] }] }],
    ["a in [1, 'x', b]", { $in: [field("a"), [literal(1), literal("x"), field("b")]] }],
    ["a not in (1)", { $not: [{ $in: [field("a"), [literal(1)]] }] }],
    ["a in []", { $in: [field("a"), []] }],
    ['a contains "x"', contains("x", false)],
    ['a icontains "x"', contains("x", true)],
    ['a not icontains "x"', { $not: [contains("x", true)] }],
    ["exists(a)", { $eq: [{ $convert: { input: field("a"), to: "exists" } }, literal(true)] }],
    ["scores.correct", { $eq: [field("scores.correct"), literal(true)] }],
    ["int(a) = -0.5e1", { $eq: [{ $convert: { input: field("a"), to: "int" } }, literal(-5)] }],
    ['scores["exact.match"] = null', { $eq: [field("scores.exact\\.match"), literal(null)] }],
    ["outputs[0].a.1 = b.in", { $eq: [field("outputs.0.a.1"), field("b.in")] }],
    ['$["and"].x = 1', { $eq: [field("and.x"), literal(1)] }],
    ['a = [1, {"b": [null]}]', { $eq: [field("a"), literal([1, { b: [null] }])] }],
    ["and(a)", { $and: [field("a")] }],
    ["scores.exact-8ddb6042 = 1", { $eq: [field("scores.exact-8ddb6042"), literal(1)] }],
    ["größe.名前 = 'Σ\\u00e9'", { $eq: [field("größe.名前"), literal("Σé")] }],
  ])("%s", (text, query) => expect(wire(text)).toEqual(query));

  test.each<[string, string, string]>([
    ["", "^", "but the text ends here"],
    ["a =", "   ^", "but the text ends here"],
    ["a = = 1", "    ^", ", not ="],
    ["a b", "  ^", "or the end, not b"],
    ["a && b", "  ^", "write and here, not &&"],
    ["! a", "^", "write not here, not !"],
    ["a is null", "  ^", "write = or != here, not is"],
    ["a like 'x'", "  ^", "write contains here, not like"],
    ["0 < a < 1", "      ^", "write a < b and b < c"],
    ["(a = 1", "      ^", ") is missing for the ( at character 1"],
    ["a = 1)", "     ^", "or the end, not )"],
    ["a in 3", "     ^", "expected a list such as [1, 2] after in, not 3"],
    ["a not 3", "      ^", "expected in, contains or icontains after not"],
    ["a = 'x", "    ^", "unterminated text"],
    ["a = 'x\\q'", "      ^", "after a backslash comes"],
    ["a = 1x", "    ^", "write a number like"],
    ["a = 007", "    ^", "write a number like"],
    ["a = 1e999", "    ^", "64-bit float"],
    ["a = [1, b]", "        ^", "only constants"],
    ["a = {b: 1}", "     ^", "a key in quotes"],
    ["a. = 1", "  ^", "expected a name after the dot"],
    ["a[b] = 1", "  ^", "a name in quotes or an index"],
    ["a[''] = 1", "^", "cannot have an empty segment"],
    ["$ = 1", "^", "write a name in square brackets after $"],
    ["lower(a) = 1", "^", 'unknown function "lower"; the functions are double, int, bool, string or exists'],
    ["int(a, b) = 1", "        ^", "int takes one operand"],
    ["a = #", "    ^", '"#" is not valid here'],
    ["a = \u{1f600}", "    ^", '"\u{1f600}" is not valid here'],
    ["a =\n  b c", "    ^", "or the end, not c"],
  ])("%s is refused, with the position of the error", (text, caret, message) => {
    const read = readExpression(text);
    if (read.ok) throw new Error("the text is valid");
    expect(read.issues[0]!.message).toContain(message);
    expect(pointAt(text, read.issues[0]!.path[0] as number)[1]).toBe(caret);
  });

  test("reports the position of each field that is not allowed", () => {
    const refused = readExpression("a = 1 and (b or a.c in [b])", {
      field: ([head]) => (head === "b" ? "there is no b" : undefined),
    });
    expect(refused).toEqual({
      ok: false,
      issues: [11, 24].map((offset) => ({ code: "value_error", path: [offset], message: "there is no b" })),
    });
  });

  test("a fault at the end of a line is shown in that line", () => {
    expect(pointAt("a =\n  b", 3)).toEqual(["a =", "   ^"]);
  });

  test("a long line is cut around the fault", () => {
    const text = `${"a = 1 or ".repeat(100)}b b or ${"c = 1 or ".repeat(100)}d`;
    const read = readExpression(text);
    if (read.ok) throw new Error("the text is valid");
    const [line, caret] = pointAt(text, read.issues[0]!.path[0] as number);
    expect(line).toMatch(/^….*b b or .*…$/);
    expect(line[caret.indexOf("^")]).toBe("b");
    expect(line.length).toBeLessThan(125);
  });

  test.each([
    ["parentheses", `${"(".repeat(1e5)}a`],
    ["negations", `${"not ".repeat(1e5)}a`],
    ["lists", `a = ${"[".repeat(1e5)}`],
    ["operations", "a = 1 and ".repeat(1e5)],
    ["conditions", `${"a = 1 and ".repeat(1e4)}a`],
  ])("of too many %s is refused", (_, text) => {
    const read = readExpression(text);
    expect(read.ok ? "read" : read.issues.length).toBe(1);
  });

  test("may nest as deep as a query", () => {
    const deep = `${"not (".repeat(61)}a = 1${")".repeat(61)}`;
    expect(readExpression(deep).ok).toBe(true);
  });
});

describe("laws", () => {
  test("a printed expression parses to the original, and prints the same again", () => {
    fc.assert(
      fc.property(condition, (expr) => {
        const text = printExpression(expr);
        const read = readExpression(text);
        expect(read).toEqual({ ok: true, value: expr });
        expect(printExpression((read as { value: Expr }).value)).toBe(text);
      }),
      runs,
    );
  });

  test("an expression from a text survives its wire format", () => {
    const words = fc.constantFrom(
      ..."a b.c inputs scores.x[1] 1 -0 'x' null true ( ) [ ] { } , : = != < and or not in contains".split(
        " ",
      ),
      ...['"k"', "exists(", "and(", "$['in']", "§", "Δ", "'"],
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), (some) => {
        const text = some.join(" ");
        const read = readExpression(text);
        if (!read.ok) {
          expect(read.issues[0]!.path[0]).toBeLessThanOrEqual(text.length);
          return;
        }
        const back = readQuery(printQuery(read.value), { at: [], field: () => undefined });
        expect(back).toEqual(read);
        expect(readExpression(printExpression(read.value))).toEqual(read);
      }),
      { numRuns: runs.numRuns * 10 },
    );
  });

  test("printed sort keys parse to the same keys", () => {
    const term = fc.record({
      path: fc.oneof(path, fc.constantFrom(["Δx"], ["diff"], ["of"], ["desc", "asc"])),
      difference: fc.boolean(),
      descending: fc.boolean(),
      evaluation: fc.constantFrom(undefined, "gpt-b", "a, b", '"', "desc"),
    });
    fc.assert(
      fc.property(fc.array(term, { minLength: 1, maxLength: 3 }), (terms) => {
        expect(readSort(printSort(terms))).toEqual({ ok: true, value: terms });
      }),
      runs,
    );
  });
});

describe("sort keys", () => {
  const key = { path: ["correct"], difference: false, descending: false, evaluation: undefined };

  test.each([
    ["Δcorrect", [{ ...key, difference: true, descending: true }]],
    ["∆ correct asc", [{ ...key, difference: true }]],
    ["diff(correct)", [{ ...key, difference: true, descending: true }]],
    ["correct of gpt-4.1 desc", [{ ...key, evaluation: "gpt-4.1", descending: true }]],
    [
      "correct of 'the new one', inputs.n",
      [
        { ...key, evaluation: "the new one" },
        { ...key, path: ["inputs", "n"] },
      ],
    ],
    ["of of of DESC", [{ ...key, path: ["of"], evaluation: "of", descending: true }]],
  ])("%s", (text, terms) => expect(readSort(text)).toEqual({ ok: true, value: terms }));

  test.each([
    ["", 0],
    ["correct up", 8],
    ["correct,", 8],
    ["diff(correct", 12],
    ["correct of", 10],
  ])("%s is refused at %i", (text, offset) => {
    expect(readSort(text)).toMatchObject({ ok: false, issues: [{ path: [offset] }] });
  });
});
