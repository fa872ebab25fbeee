// Fuzz target for the expression language: corrupted and deeply nested texts and queries are read, or refused with a
// position.

import type { FuzzTarget } from "@assay/testing/fuzz-target";
import { change, mutatedBytes } from "@assay/testing/mutated-bytes";
import fc from "fast-check";
import {
  type Expr,
  interpretQuery,
  type Json,
  pointAt,
  printExpression,
  printQuery,
  readExpression,
  readQuery,
  readSort,
} from "../src/index.ts";
import { printSort } from "../src/text/sort-text.ts";
import { condition, damaged, document } from "./arbitrary.ts";

const anyField = { at: [], field: () => undefined };

/** Texts similar to expressions: printed ones with changes, words in any order, and endless or deeply nested ones. */
const text: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(condition, fc.array(change, { minLength: 1, maxLength: 3 }))
      .map(([expr, changes]) =>
        new TextDecoder().decode(mutatedBytes(new TextEncoder().encode(printExpression(expr)), changes)),
      ),
  },
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.constantFrom(
          ..."a b.c inputs scores.x[1] 1 -0 1e999 'x' null true ( ) [ ] { } , : = != < <= and or not in".split(
            " ",
          ),
          ...[
            "contains",
            "icontains",
            '"k"',
            "exists(",
            "int(",
            "$['in']",
            "$",
            "§",
            "Δ",
            "'",
            "\\",
            "\u0000",
            "\ud800",
          ],
        ),
        { maxLength: 24 },
      )
      .map((words) => words.join(" ")),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom("(", "not ", "a = [", "a.", "a and ", "[", "'\\", "exists(", '{"a":'),
        fc.nat(200_000),
      )
      .map(([part, times]) => part.repeat(Math.min(times, 2_000_000 / part.length))),
  },
);

/** Queries that are almost valid, and any JSON. */
const query: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: damaged(condition.map((expr) => printQuery(expr) as Json)) },
  { weight: 1, arbitrary: fc.jsonValue().map(($expr) => ({ $expr })) },
  { weight: 1, arbitrary: fc.anything() },
);

/** Throws unless an expression reads again as printed, and has a value over a document. */
function assertSound(expr: Expr, over: Json): void {
  const again = readExpression(printExpression(expr));
  if (!again.ok) throw new Error(`its text cannot be read: ${printExpression(expr)}`);
  const back = readQuery(printQuery(expr), anyField);
  if (!back.ok) throw new Error(`its wire format cannot be read: ${JSON.stringify(printQuery(expr))}`);
  for (const read of [again.value, back.value])
    if (JSON.stringify(read) !== JSON.stringify(expr))
      throw new Error(`reads back as ${JSON.stringify(read)}`);
  interpretQuery(expr, (path) => {
    const [head] = path;
    return (over as { readonly [key: string]: Json })[String(head)] ?? null;
  });
}

/** Throws unless a refusal has a message and a position, and repeats only a little of the text. */
function assertRefusal(
  source: string,
  issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[],
): void {
  if (issues.length === 0) throw new Error("is refused without an issue");
  for (const { path, message } of issues) {
    const [at] = path;
    if (typeof at !== "number" || at < 0 || at > source.length)
      throw new Error(`has the position ${String(at)}`);
    if (message === "" || message.length > 1000)
      throw new Error(`has a message of ${message.length} characters`);
    const [line, caret] = pointAt(source, at);
    if (line.length > 250 || caret.length > line.length + 1) throw new Error("points outside the text");
  }
}

/** Property: any text, query or sort key is valid and has a meaning, or is refused with a position. */
const expressions: fc.IAsyncProperty<[string, unknown, Json]> = fc.asyncProperty(
  text,
  query,
  document,
  async (source, asked, over) => {
    const read = readExpression(source);
    if (read.ok) assertSound(read.value, over);
    else assertRefusal(source, read.issues);
    const sort = readSort(source);
    if (!sort.ok) assertRefusal(source, sort.issues);
    else if (JSON.stringify(readSort(printSort(sort.value))) !== JSON.stringify(sort))
      throw new Error(`sort keys are printed as ${printSort(sort.value)}`);
    const wire = readQuery(asked, anyField);
    if (wire.ok) assertSound(wire.value, over);
    else if (JSON.stringify(wire.issues).length > 64 * 1024) throw new Error("a refusal longer than 64 KiB");
  },
);

/** For `npm run fuzz`. */
export const expressionsTarget: FuzzTarget = {
  name: "expressions",
  what: "filters and sort keys as text and JSON, corrupted and nested: read as printed, or refused with a position",
  patience: 20_000,
  memory: 512,
  few: 60,
  property: () => expressions,
};
