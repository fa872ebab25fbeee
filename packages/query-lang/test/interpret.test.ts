import type { Json } from "@assay/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Expr,
  type FieldPath,
  getPath,
  testQuery as holds,
  interpretQuery,
  literalSide,
  relateValues,
} from "../src/index.ts";
import { condition, document, json, runs } from "./arbitrary.ts";

const not = (operand: Expr): Expr => ({ kind: "not", operand });
const all = (...operands: Expr[]): Expr => ({ kind: "and", operands });
const any = (...operands: Expr[]): Expr => ({ kind: "or", operands });
const literal = (value: Json): Expr => ({ kind: "literal", value });
const field: Expr = { kind: "field", path: ["v"] };

/** Asserts that two expressions have the same value on every document. */
function same(one: (a: Expr, b: Expr) => Expr, other: (a: Expr, b: Expr) => Expr) {
  fc.assert(
    fc.property(condition, condition, document, (a, b, doc) => {
      const from = (path: FieldPath) => getPath(doc, path);
      expect(holds(one(a, b), from)).toBe(holds(other(a, b), from));
    }),
    runs,
  );
}

describe("three-valued logic", () => {
  test("not not x is x", () =>
    same(
      (a) => not(not(a)),
      (a) => a,
    ));
  test("not (a and b) is not a or not b", () =>
    same(
      (a, b) => not(all(a, b)),
      (a, b) => any(not(a), not(b)),
    ));
  test("not (a or b) is not a and not b", () =>
    same(
      (a, b) => not(any(a, b)),
      (a, b) => all(not(a), not(b)),
    ));
  test("and does not depend on order, and x and x is x", () => {
    same(all, (a, b) => all(b, a));
    same(
      (a) => all(a, a),
      (a) => a,
    );
  });
});

test("a condition is true, false or null of every document", () => {
  fc.assert(
    fc.property(condition, document, (expr, doc) => {
      expect([true, false, null]).toContain(interpretQuery(expr, (path) => getPath(doc, path)));
    }),
    runs,
  );
});

test("$in is $or of $eq", () => {
  fc.assert(
    fc.property(
      json,
      fc.array(fc.oneof(json.map(literal), fc.constant(field)), { minLength: 1, maxLength: 4 }),
      (v, list) => {
        const equalities = list.map((right): Expr => ({ kind: "compare", op: "eq", left: field, right }));
        expect(holds({ kind: "in", needle: field, list }, () => v)).toBe(holds(any(...equalities), () => v));
      },
    ),
    runs,
  );
});

describe("relate", () => {
  const side = fc.constantFrom("left", "right", "none");
  const pair = [json, json, side] as const;

  test("a > b is b < a, whichever side is the literal", () => {
    const swapped = { left: "right", right: "left", none: "none" } as const;
    fc.assert(
      fc.property(...pair, (a, b, literal) => {
        expect(relateValues("gt", a, b, literal)).toBe(relateValues("lt", b, a, swapped[literal]));
        expect(relateValues("gte", a, b, literal)).toBe(relateValues("lte", b, a, swapped[literal]));
        expect(relateValues("eq", a, b, literal)).toBe(relateValues("eq", b, a, swapped[literal]));
      }),
      runs,
    );
  });

  test("ordered values are exactly one of less, equal or greater", () => {
    fc.assert(
      fc.property(...pair, (a, b, literal) => {
        const [less, equal, greater] = (["lt", "eq", "gt"] as const).map((op) =>
          relateValues(op, a, b, literal),
        );
        fc.pre(less !== null);
        expect([less, equal, greater].filter((truth) => truth === true)).toHaveLength(1);
        expect(relateValues("lte", a, b, literal)).toBe(less || equal);
        expect(relateValues("gte", a, b, literal)).toBe(greater || equal);
      }),
      runs,
    );
  });

  test("the right one of two literals decides; fields and conversions never do", () => {
    expect(literalSide(literal(1), literal("1"))).toBe("right");
    expect(literalSide(literal(1), field)).toBe("left");
    expect(literalSide(field, { kind: "convert", to: "double", input: literal(1) })).toBe("none");
  });
});
