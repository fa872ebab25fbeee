// A place survives encoding into an address and back, whatever it contains, and every text decodes to a place.

import { cases } from "@assay/testing/cases";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode, encode } from "../../src/page/state/codec.ts";
import {
  CHANGES,
  CONDITION_OPS,
  comparisonOf,
  ORDERS,
  type PageRoute,
  TABS,
} from "../../src/page/state/page-route.ts";

// A small pool of characters that are awkward in an address, so that they meet.
const awkward = fc.constantFrom(
  "a",
  "B",
  "~",
  "%",
  "#",
  "?",
  "&",
  "=",
  "/",
  "+",
  " ",
  "|",
  "@",
  "[",
  ".",
  "é",
  "😀",
  '"',
);
const text = fc.array(awkward, { maxLength: 6 }).map((parts) => parts.join(""));
const name = fc
  .array(fc.constantFrom("a", "~", "training", "-", "+", " ", "é", "compare", "."), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(""));
const project = fc.tuple(name, name).map((names) => names.join("/"));
const some = text.filter((value) => value !== "");
const value = fc
  .oneof(
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  )
  .map((one) => (Object.is(one, -0) ? 0 : one));
const chip = fc.oneof(
  fc.record(
    {
      kind: fc.constant("condition" as const),
      field: some,
      op: fc.constantFrom(...CONDITION_OPS),
      value,
      evaluation: text,
    },
    { requiredKeys: ["kind", "field", "op", "value"] },
  ),
  fc.record({
    kind: fc.constantFrom("filter" as const, "row" as const),
    label: text,
    filter: fc.record({ field: text, equals: value }),
  }),
);
const unknown = fc.array(fc.tuple(fc.constantFrom("x", "zoom", "v2"), text), { maxLength: 2 });
const compare = fc
  .tuple(
    project,
    fc.record(
      {
        evaluations: fc.uniqueArray(text, { maxLength: 4 }),
        baseline: text,
        candidate: text,
        measure: text,
        lower: fc.uniqueArray(text, { maxLength: 2 }),
        chips: fc.array(chip, { maxLength: 3 }),
        change: fc.constantFrom(...CHANGES),
        order: fc.constantFrom(...ORDERS),
        tab: fc.constantFrom(...TABS),
        by: fc.uniqueArray(text, { maxLength: 2 }),
        row: text,
        trials: fc.tuple(fc.nat(50), fc.nat(50)),
        diff: fc.boolean(),
        expected: fc.boolean(),
        dense: fc.boolean(),
        rest: unknown,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([of, parts]) => comparisonOf(of, parts));
const place: fc.Arbitrary<PageRoute> = fc.oneof(
  { weight: 6, arbitrary: compare },
  fc.record({ view: fc.constantFrom("start", "training", "models", "keys"), rest: unknown }),
  fc.record({ view: fc.constantFrom("evaluations" as const, "calls" as const), project, rest: unknown }),
  fc.record({
    view: fc.constant("runs" as const),
    project,
    runs: fc.uniqueArray(some, { maxLength: 3 }),
    rest: unknown,
  }),
  fc.record({ view: fc.constant("call" as const), project, id: some, rest: unknown }),
  fc.record({ view: fc.constantFrom("job" as const, "model" as const), id: some, rest: unknown }),
  fc.record({ view: fc.constant("chat" as const), models: fc.array(text, { maxLength: 4 }), rest: unknown }),
  fc.record({ view: fc.constant("usage" as const), by: fc.array(text, { maxLength: 3 }), rest: unknown }),
);

describe("the address of a place", () => {
  test("restores the place", () => {
    fc.assert(
      fc.property(place, (one) => {
        expect(decode(encode(one))).toEqual(one);
      }),
      { numRuns: cases(10_000) },
    );
  });

  test("survives the address bar of a browser", () => {
    fc.assert(
      fc.property(place, (one) => {
        const address = new URL(encode(one), "http://127.0.0.1:7777/");
        expect(decode(address.hash)).toEqual(one);
      }),
    );
  });

  test("may be any text, and decodes to the same place when printed again", () => {
    const any = fc.oneof(
      text.map((some) => `#/${some}`),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(any, (some) => {
        const read = decode(some);
        expect(decode(encode(read))).toEqual(read);
      }),
    );
  });

  test("is readable", () => {
    const place = comparisonOf("acme/demo", {
      evaluations: ["A", "B"],
      baseline: "A",
      chips: [{ kind: "condition", field: "inputs.kind", op: "eq", value: "in words" }],
      change: "worse",
    });
    expect(encode(place)).toBe(
      "#/acme/demo/compare?e=A&e=B&b=A&f=inputs.kind~eq~%22in%20words%22&change=worse",
    );
    expect(encode({ view: "start", rest: [] })).toBe("#/");
  });

  test("keeps an invalid filter separately, so that the page can show it", () => {
    const read = decode("#/acme/demo/compare?f=nonsense&f=inputs.a~eq~1&f=inputs.a~like~1&f=[1]");
    expect(read).toMatchObject({
      chips: [{ field: "inputs.a", op: "eq", value: 1 }],
      rest: [
        ["f", "nonsense"],
        ["f", "inputs.a~like~1"],
        ["f", "[1]"],
      ],
    });
  });
});
