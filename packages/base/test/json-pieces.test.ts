// A value serialised in pieces has the same text as one serialised at once.

import type { Json } from "@assay/base";
import { jsonPieces, jsonTextSteps, parseJson } from "@assay/base/internal";
import fc from "fast-check";
import { expect, test } from "vitest";

test("the text equals that of JSON.stringify, whichever part of the value is large", () => {
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
      // Omitted, as by `JSON.stringify`.
      const odd = { value, none: undefined, "\ud800": value };
      expect([...jsonPieces(odd)].join("")).toBe(JSON.stringify(odd));
    }),
    { numRuns: 60 },
  );
});

test("each chunk of a large value is small", () => {
  const groups = Array.from({ length: 300 }, (_, i) => ({
    n: i,
    all: Array.from({ length: 300 }, () => [i]),
  }));
  const pieces = [...jsonPieces({ groups })];
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(10_000);
});

test("in steps, numbers keep their notation, whichever part of the value is large", () => {
  const numbers = Array.from({ length: 5000 }, (_, i) =>
    i % 3 === 0 ? "1.0" : i % 3 === 1 ? `${i}` : "[1e2,7]",
  );
  const members = numbers.map((number, i) => `"k${i}":${number}`);
  const text = `{"a":[${numbers}],"b":{${members},"__proto__":1.0,"toJSON":[${numbers}]},"c":2.0,"d":[[${numbers}],3.0]}`;
  const steps = jsonTextSteps(parseJson(text));
  let [count, step] = [0, steps.next()];
  for (; step.done !== true; step = steps.next()) count++;
  expect(step.value).toBe(text);
  expect(count).toBeGreaterThan(15);
});
