// Written in pieces, a value has the text that it has in one go.

import { type Json, jsonPieces } from "@assay/base";
import fc from "fast-check";
import { expect, test } from "vitest";

test("is the text that JSON.stringify gives, whatever is large in the value", () => {
  const many = (item: Json) => Array.from({ length: 1500 }, () => item);
  const grown = fc.letrec<{ value: Json; small: Json }>((tie) => ({
    small: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
    value: fc.oneof(
      tie("small"),
      tie("small").map((item) => many(many(item).slice(0, 4))),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.tuple(fc.string(), tie("value")).map(([name, one]) => ({ [name]: one, "a\nb": many(name) })),
      tie("small").map((one) => Object.fromEntries(many(one).map((item, i) => [`k${i}`, [item, item]]))),
    ),
  })).value;
  fc.assert(
    fc.property(grown, (value) => {
      // What `JSON.stringify` leaves out is left out.
      const odd = { value, none: undefined, "\ud800": value };
      expect([...jsonPieces(odd)].join("")).toBe(JSON.stringify(odd));
    }),
    { numRuns: 60 },
  );
});

test("no piece of a large value is much of it", () => {
  const groups = Array.from({ length: 300 }, (_, i) => ({
    n: i,
    all: Array.from({ length: 300 }, () => [i]),
  }));
  const pieces = [...jsonPieces({ groups })];
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(10_000);
});
