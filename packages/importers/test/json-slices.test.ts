// Slices of a streamed document equal the results of JSON.parse, wherever the pieces end.

import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonSlicer } from "../src/json/json-slices.ts";

// Few units, so that quotes and backslashes meet each other and the ends of pieces. Long, so that both ways of finding
// the end of a string are used.
const text = fc
  .array(fc.constantFrom('"', "\\", "a", "é", "\n", "{", "]", ","), { maxLength: 120 })
  .map((units) => units.join(""));
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(null, true, false, 0, -1.5, 1e21),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  ),
})).value;

test("samples of a document equal those of JSON.parse, in pieces of any length", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ id: value, events: value, output: value }), { maxLength: 4 }),
      value,
      fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 5 }),
      (samples, header, lengths) => {
        const bytes = new TextEncoder().encode(JSON.stringify({ header, samples }));
        const slicer = new JsonSlicer({ take: [["samples", "*"]], omit: [["samples", "*", "events"]] });
        const found: unknown[] = [];
        for (let at = 0, i = 0; at < bytes.length; at += lengths[i++ % lengths.length]!) {
          slicer.feed(bytes.subarray(at, at + lengths[i % lengths.length]!));
          found.push(...slicer.takeValues().map((slice) => slice.value));
        }
        slicer.end();
        expect(found).toEqual(samples.map((sample) => ({ ...sample, events: null })));
      },
    ),
    { numRuns: Number(process.env["ASSAY_RUNS"] ?? 500) },
  );
});

test("a byte that is not UTF-8 is reported with its position, in a key and in a value", () => {
  for (const document of [
    '{"samples":[{"ïd":1}]}',
    '{"samples":[{"id":"ï"}]}',
    '{"hëader":{},"samples":[]}',
  ]) {
    const slicer = new JsonSlicer({ take: [["samples", "*"]], omit: [] });
    expect(() => {
      slicer.feed(Buffer.from(document, "latin1"));
      slicer.end();
    }).toThrow(/^(?:byte \d+|samples\.0): not UTF-8 text$/);
  }
});
