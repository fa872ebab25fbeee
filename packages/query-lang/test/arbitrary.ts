// Random expressions, documents and queries, from small pools, because equal values must meet for comparisons to
// matter.

import type { Json } from "@assay/base";
import fc from "fast-check";
import type { Cast } from "../src/expression/expr.ts";
import type { Comparison, Expr, FieldPath } from "../src/index.ts";

/** The number of cases of each property: `ASSAY_RUNS`, or a number suitable for every commit. */
export const runs = { numRuns: Number(process.env.ASSAY_RUNS ?? 300) };

const scalar: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  ...[null, true, false, 0, -0, 1, 2, -1, 0.5, 1e21, 2 ** 53],
  ...[
    "",
    "a",
    "A",
    "ab",
    "1",
    "1.0",
    "-0",
    "0.5",
    "01",
    " 1",
    "1e999",
    "true",
    "false",
    "True",
    "null",
    "[]",
  ],
  ...["é", "ς", "Σ", "İ", "\u{1f600}", "\ud83d", "\ufffd", "\uffee"],
);

const key = fc.constantFrom("a", "b", "a.b", "\\", "0", "", "__proto__", "constructor", "toString");

/** JSON without an object whose only key is `$literal`, which a literal cannot hold. */
export const json: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: scalar, weight: 4 },
    { arbitrary: fc.array(tie("json"), { maxLength: 3 }), weight: 1 },
    {
      arbitrary: fc
        .array(fc.tuple(key, tie("json")), { maxLength: 3 })
        .map((entries) => Object.fromEntries(entries)),
      weight: 1,
    },
  ),
})).json;

// Most fields have the types of most literals, because an unknown comparison proves little.
const common = fc.constantFrom<Json[]>(0, 1, 2, 0.5, "1", "a", "ab", true, false, "true");
const often = fc.oneof({ arbitrary: common, weight: 4 }, { arbitrary: json, weight: 1 });

export const document: fc.Arbitrary<Json> = fc.record({
  a: often,
  b: often,
  c: fc.constantFrom(true, false, 1, 0),
});

export const path: fc.Arbitrary<FieldPath> = fc.oneof(
  { arbitrary: fc.constantFrom<FieldPath[]>(["a"], ["b"], ["c"]), weight: 4 },
  {
    arbitrary: fc
      .tuple(
        fc.constantFrom("a", "b", "missing"),
        fc.array(
          key.filter((one) => one !== ""),
          { maxLength: 2 },
        ),
      )
      .map(([head, rest]) => [head, ...rest]),
    weight: 1,
  },
);

const deep = { maxDepth: 5, withCrossShrink: true };
const casts: readonly Cast[] = ["double", "int", "bool", "string", "exists"];
const comparisons: readonly Comparison[] = ["eq", "gt", "lt", "gte", "lte"];

const operand = fc.letrec<{ operand: Expr; value: Expr; condition: Expr }>((tie) => {
  const operands = (minLength: number, maxLength: number) =>
    fc.array(tie("operand"), { minLength, maxLength });
  return {
    operand: fc.oneof(deep, { arbitrary: tie("value"), weight: 2 }, tie("condition")),
    value: fc.oneof(
      deep,
      { arbitrary: often.map((value): Expr => ({ kind: "literal", value })), weight: 3 },
      { arbitrary: path.map((path): Expr => ({ kind: "field", path })), weight: 3 },
      fc
        .tuple(fc.constantFrom(...casts), tie("operand"))
        .map(([to, input]): Expr => ({ kind: "convert", to, input })),
    ),
    condition: fc.oneof(
      deep,
      fc
        .tuple(fc.constantFrom(...comparisons), tie("operand"), tie("operand"))
        .map(([op, left, right]): Expr => ({ kind: "compare", op, left, right })),
      operands(1, 3).map((operands): Expr => ({ kind: "and", operands })),
      operands(1, 3).map((operands): Expr => ({ kind: "or", operands })),
      tie("operand").map((operand): Expr => ({ kind: "not", operand })),
      fc.tuple(tie("operand"), operands(0, 4)).map(([needle, list]): Expr => ({ kind: "in", needle, list })),
      fc
        .tuple(tie("operand"), tie("operand"), fc.boolean())
        .map(
          ([input, substr, caseInsensitive]): Expr => ({ kind: "contains", input, substr, caseInsensitive }),
        ),
    ),
  };
});

/** An expression that is valid in `$expr`. */
export const condition: fc.Arbitrary<Expr> = operand.condition;

/** `query` with one value replaced, or one key removed, anywhere in it. */
export function damaged(query: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const foreign = fc.oneof(json, fc.constantFrom<Json[]>({ $literal: 1 }, { $getField: "a" }, [], {}));
  return fc.tuple(query, fc.nat(), foreign, fc.boolean()).map(([original, seed, value, drop]) => {
    const copy = structuredClone(original) as { [key: string]: Json };
    const places = placesIn(copy);
    const [holder, key] = places[seed % places.length]!;
    if (drop && !Array.isArray(holder)) delete holder[key];
    else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
    return copy;
  });
}

/** Every place in a query: its container and its key. */
function placesIn(query: { [key: string]: Json }): [{ [key: string]: Json }, string][] {
  return Object.entries(query).flatMap(([key, value]) => [
    [query, key] as [{ [key: string]: Json }, string],
    ...(typeof value === "object" && value !== null ? placesIn(value as { [key: string]: Json }) : []),
  ]);
}
