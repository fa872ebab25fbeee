// Parsing in pieces gives the same result as parsing at once, for any text and any division.

import { atOnce, jsonText } from "@assay/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseInPieces } from "../src/json/json-parse.ts";
import { JsonScan } from "../src/json/json-scan.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const decode = (bytes: Uint8Array): string => decoder.decode(bytes);
const PLENTY = { maxDepth: 256, maxValues: 100_000, maxNames: 100_000 };

/** The value of `text`, received in chunks and parsed in pieces, or undefined if it is refused. */
function inPieces(text: string, pieceBytes: number, chunk: number): { value: unknown } | undefined {
  const bytes = Buffer.from(text);
  const scan = new JsonScan({ ...PLENTY, pieceBytes });
  for (let i = 0; i < bytes.length; i += chunk)
    if (scan.push(bytes.subarray(i, i + chunk)) !== undefined) return undefined;
  if (scan.end() !== undefined) return undefined;
  try {
    return { value: atOnce(parseInPieces(bytes, scan.cut, { decode, logged: true })) };
  } catch {
    return undefined;
  }
}

function parsedAtOnce(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const pieceBytes = fc.integer({ min: 1, max: 30 });
const chunk = fc.integer({ min: 1, max: 40 });

describe("JSON in pieces", () => {
  test("has the same value as when parsed at once", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), pieceBytes, chunk, fc.boolean(), (json, size, step, wide) => {
        const text = wide ? JSON.stringify(JSON.parse(json), null, 2) : json;
        expect(inPieces(text, size, step)).toStrictEqual(parsedAtOnce(text));
      }),
      { numRuns: 3000 },
    );
  });

  test("preserves the notation of numbers, wherever it is cut", () => {
    const numbers = ["1.0", "9007199254740993", "-0", "1e5", "7", '"x"', "[1.0,2]", '{"a":1.50}'];
    const list = fc.array(fc.constantFrom(...numbers), { maxLength: 12 }).map((all) => `[${all.join(",")}]`);
    const object = fc
      .array(fc.constantFrom(...numbers), { maxLength: 12 })
      .map((all) => `{${all.map((one, i) => `"k${i}":${one}`).join(",")}}`);
    fc.assert(
      fc.property(fc.oneof(list, object), pieceBytes, chunk, (text, size, step) => {
        expect(jsonText(inPieces(text, size, step)?.value)).toBe(text);
      }),
    );
  });

  test("is refused at the first byte that is not JSON", () => {
    const marks = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\", "1", " ", "a", "");
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4 }),
        fc.nat(),
        marks,
        fc.boolean(),
        pieceBytes,
        chunk,
        (json, where, mark, instead, size, step) => {
          const at = where % (json.length + 1);
          const text = json.slice(0, at) + mark + json.slice(instead ? at + 1 : at);
          expect(inPieces(text, size, step)).toStrictEqual(parsedAtOnce(text));
        },
      ),
      { numRuns: 5000 },
    );
  });

  test.each([
    ['{"__proto__":{"a":1},"b":[1,2,3]}'],
    ['{"a":[1,2,3],"a":[4,5,6],"2":0,"1":0}'],
    ["[[[[[[]]]]]]"],
    ["[1,[2,[3,[4]]],5]"],
    ["[ ,1]"],
    ["[1,]"],
    ["[1 [2,3]]"],
    ['{"a" [1,2,3]}'],
    ["{1:[1,2,3]}"],
    ['{"a":1[1,2,3]}'],
    ["[1,2,3]]"],
    ["[1,2,3],"],
  ])("%s", (text) => {
    for (const size of [1, 4, 9]) {
      const [read, wanted] = [inPieces(text, size, 5), parsedAtOnce(text)];
      expect(read).toStrictEqual(wanted);
      expect(Object.keys((read?.value as object) ?? {})).toEqual(
        Object.keys((wanted?.value as object) ?? {}),
      );
    }
  });
});

describe("a text that exceeds a limit is refused before anything is built", () => {
  const refusal = (text: string, limits: object) =>
    new JsonScan({ ...PLENTY, ...limits }).push(Buffer.from(text));

  const records = (depth: number, most: number) =>
    [most, most - 1].map((maxValues) => ({ records: { depth, maxValues } })) as [object, object];

  test.each<[string, object, object]>([
    ['[[],{},0,""]', { maxValues: 5 }, { maxValues: 4 }],
    ['{"a":{"b":1},"c":"d"}', { maxValues: 4 }, { maxValues: 3 }],
    ['[{"a":0},{"a":0},{"b":0}]', { maxNames: 2 }, { maxNames: 1 }],
    ["[[[]]]", { maxDepth: 3 }, { maxDepth: 2 }],
    ['["[[[[", "a:b:c"]', { maxDepth: 1, maxNames: 0 }, { maxDepth: 0 }],
    ["[-1.5e3, true, null]", { maxValues: 4 }, { maxValues: 3 }],
    ['["a","12345678"]', { maxText: 9 }, { maxText: 8 }],
    ['{"batch":[{"a":[1,2]},3,{"b":[1]}]}', ...records(2, 4)],
    ['{"batch":[3,{"b":[1]}]}', ...records(2, 3)],
    ['{"table":{"id":[1,2],"rows":[{"b":[1]},1,1,1]}}', ...records(3, 3)],
  ])("%s", (text, enough, tooLittle) => {
    expect(refusal(text, enough)).toBeUndefined();
    expect(refusal(text, tooLittle)).toMatchObject({ kind: "limit" });
  });
});
