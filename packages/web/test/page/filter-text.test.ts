// Filters as texts: what they mean, what can follow in them, and where they are wrong.

import { describe, expect, test } from "vitest";
import { completionsOf, type KnownField } from "../../src/page/format/filter/completions.ts";
import { filterOfText, textOfFilter } from "../../src/page/format/filter/filter-text.ts";
import { fieldNamed } from "../../src/page/parts/filter/field-names.ts";

const field = (name: string, types: readonly string[], values: readonly string[] = []): KnownField =>
  ({
    ...{ field: name, types, min: null, max: null },
    values: values.map((value, at) => ({ value, count: 9 - at })),
  }) as KnownField;
const KNOWN = [
  field("inputs.kind", ["string"], ["rate", 'say "or"']),
  field("inputs.grade level", ["number"]),
  field("scores.correct", ["boolean"]),
];
const fieldOf = (name: string): string =>
  fieldNamed(
    name,
    KNOWN.map((one) => one.field),
  );

describe("after", () => {
  const OPERATORS = ["=", "!=", ">", "<", "contains", "in [", "and", "or"];
  test.each<[string, readonly string[]]>([
    ["", ["inputs.kind", 'inputs["grade level"]', "scores.correct"]],
    ["KI", ["inputs.kind"]],
    ["kind = ", ['"rate"', '"say \\\\"or\\\\""']],
    ['inputs.kind="ra', ['"rate"']],
    ["kind in [", ['"rate"', '"say \\\\"or\\\\""']],
    ['kind in ["rate", "say', ['"say \\\\"or\\\\""']],
    ["scores.correct = ", ["true", "false"]],
    ["scores.correct ", OPERATORS],
    ["(not scores.correct ", OPERATORS],
    ['kind = "rate" ', ["and", "or"]],
    ["correct = true ", ["and", "or"]],
    ["inputs.n = 3 ", ["and", "or"]],
    ['kind = "rate" and not ', ["inputs.kind", 'inputs["grade level"]', "scores.correct"]],
    ['kind = "a or b" and co', ["scores.correct"]],
    ["unknown = ", []],
  ])("%j can follow %j", (before, options) => {
    const { from, options: found } = completionsOf(before, KNOWN);
    expect(found.map(({ text }) => text.trim())).toEqual(
      options.map((text) => text.replaceAll("\\\\", "\\")),
    );
    for (const { text } of found) expect(before.slice(0, from) + text).toContain(before.slice(0, from));
  });

  test("every value completes a valid filter", () => {
    for (const { text } of completionsOf("kind = ", KNOWN).options)
      expect(filterOfText(`kind = ${text}`, fieldOf)).toHaveProperty("query");
  });
});

test("names mean fields, and a text and its query mean the same", () => {
  const read = filterOfText('kind = "rate" and not correct or inputs["grade level"] > 3', fieldOf);
  if (!("query" in read)) throw new Error(read.message);
  expect(textOfFilter(read.query)).toBe(
    'inputs.kind = "rate" and not scores.correct or inputs["grade level"] > 3',
  );
});

test("an error is shown below its place", () => {
  expect(filterOfText("kind = = 3", fieldOf)).toEqual({
    message: expect.stringContaining("expected"),
    place: "kind = = 3\n       ^",
  });
  expect(filterOfText("kind = rate", fieldOf)).toEqual({
    message: 'there is no field rate; a text is in quotes: "rate"',
    place: "kind = rate\n       ^",
  });
  expect(textOfFilter({ $expr: { $nonsense: 1 } })).toBeUndefined();
});
