import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, jsonText } from "../src/index.ts";
import {
  keepNumberText,
  mayLoseNumbers,
  numberText,
  parseJson,
  withNumberTexts,
} from "../src/json/json-text.ts";

const number = fc.constantFrom(
  ...["0", "1", "-1", "10", "0.5", "0.30000000000000004", "123456789012345", "0.000001", "-0.5", "100.25"],
  ...["1.0", "-0", "-0.0", "0.0", "0.50", "1e5", "1E+2", "1e-7", "0.0000001", "9007199254740993", "1e400"],
  ...["123456789012345678901234567890", "0.1000000000000000055511151231257827", "10.0", "5e-324"],
);

// Texts that resemble numbers, internal marks and the characters around a number.
const text = fc.constantFrom(
  ...[
    "",
    "1.0",
    '":1.0,"',
    "[1e5]",
    "\\",
    '\\"',
    "\u007f",
    "\u007f1.0",
    "1.0\u007f",
    '"\u007f1.0\u007f"',
    "\u007f\u007f2",
    "é\ud83d",
  ],
);
const key = fc.constantFrom("a", "b", "0", "1.0", "__proto__", "toJSON", "\u007f1.0\u007f");
const space = fc.constantFrom("", " ", "\n\t ");

/** JSON texts in canonical form, except that numbers are written in many notations. */
const compact: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 3, arbitrary: number },
    { weight: 2, arbitrary: text.map((one) => JSON.stringify(one)) },
    { weight: 1, arbitrary: fc.constantFrom("null", "true") },
    { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 3 }).map((all) => `[${all.join(",")}]`) },
    {
      weight: 2,
      arbitrary: fc
        .uniqueArray(fc.tuple(key, tie("value")), { maxLength: 3, selector: ([name]) => name })
        // Objects enumerate integer keys first.
        .map((all) => all.toSorted(([a], [b]) => Number(b === "0") - Number(a === "0")))
        .map((all) => `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`),
    },
  ),
})).value;

const held = compact.map((value) => `[${value}]`);

describe("JSON text", () => {
  test("is printed as it was read, including numbers", () => {
    fc.assert(
      fc.property(held, (json) => void expect(jsonText(parseJson(json))).toBe(json)),
      { numRuns: 3000 },
    );
  });

  test("has the values of JSON.parse, and JSON.stringify prints their doubles", () => {
    fc.assert(
      fc.property(held, (json) => {
        const value = parseJson(json);
        expect(value).toEqual(JSON.parse(json));
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(json)));
      }),
    );
  });

  test("can be attached to a value of JSON.parse, even with repeated member names", () => {
    const again = fc.oneof(
      held,
      fc.tuple(compact, compact, key).map(([a, b, name]) => {
        const quoted = JSON.stringify(name);
        return `{${quoted}: ${a},"c":{"d":1.0}, ${quoted} :${b}}`;
      }),
    );
    fc.assert(
      fc.property(again, (json) => {
        expect(jsonText(withNumberTexts(JSON.parse(json), json))).toBe(jsonText(parseJson(json)));
      }),
      { numRuns: 2000 },
    );
    for (const [json, text] of [
      ['{"a":1.0,"a":1}', '{"a":1}'],
      ['{"a":{"b":1.0},"a":{"b":1}}', '{"a":{"b":1}}'],
      ['{"a":[[1.0]],"\\u0061":[[1]]}', '{"a":[[1]]}'],
      ['{"\\u0061":1.0,"n":{"":-0}}', '{"a":1.0,"n":{"":-0}}'],
    ] as const)
      expect(jsonText(withNumberTexts(JSON.parse(json), json))).toBe(text);
  });

  test("needs no extra space for texts that look like its marks", () => {
    const runs = JSON.stringify("\u007f".repeat(100_000));
    const json = `[${runs},"\\u007f",${"1.0,".repeat(100_000)}"\u007f"]`;
    expect(jsonText(parseJson(json)) === json.replace("\\u007f", "\u007f")).toBe(true);
  });

  test("may have white space anywhere", () => {
    const spaced = fc
      .tuple(number, space, space)
      .map(([n, a, b]) => [`{"a":${a}${n}${b}}`, `{"a":${n}}`] as const);
    fc.assert(fc.property(spaced, ([json, wanted]) => void expect(jsonText(parseJson(json))).toBe(wanted)));
  });

  test("is refused where JSON.parse refuses it", () => {
    for (const json of [
      "",
      "{",
      '{"a":1.0',
      '["1.0',
      "[1.0,]",
      "[01.0]",
      "[1.]",
      "[1.0e]",
      '[1.0"]',
      "{1.0:2}",
      "{1.0 :2}",
    ])
      expect(() => parseJson(json)).toThrow(SyntaxError);
  });

  test("nests as deeply as JSON.parse can read", () => {
    const json = `${"[".repeat(1000)}1.0${"]".repeat(1000)}`;
    expect(JSON.stringify(parseJson(json))).toBe(json.replace("1.0", "1"));
  });
});

test("numbers that JavaScript prints unchanged are not examined twice", () => {
  for (const json of ['{"id":"0197e5a1","n":1,"x":0.125}', '["1.0 and 1e5",-0.5,123456789012345]', "[]"])
    expect(mayLoseNumbers(json)).toBe(false);
  // Probabilities with all their digits read back exactly.
  for (const json of ["[0.30000000000000004]", "[-0.9999999999999999,1234567890123456]", "[1e+21]"])
    expect(mayLoseNumbers(json)).toBe(false);
  for (const json of [
    "[1.0]",
    '{"a": 1e5}',
    "[0,-0]",
    "[9007199254740993]",
    "[0.3000000000000000400]",
    "[-0.0000001]",
  ])
    expect(mayLoseNumbers(json)).toBe(true);
});

test("a notation belongs to the number's container, and can be copied to another", () => {
  const value = parseJson('{"a":1.0,"b":1}') as { readonly [key: string]: Json };
  expect([numberText(value, "a"), numberText(value, "b"), numberText(1, "a")]).toEqual([
    "1.0",
    undefined,
    undefined,
  ]);
  const other = { c: value["a"], d: value["b"] };
  keepNumberText(value, "a", other, "c");
  keepNumberText(value, "b", other, "d");
  expect(jsonText({ other, value })).toBe('{"other":{"c":1.0,"d":1},"value":{"a":1.0,"b":1}}');
});

test("a number changed after reading is printed with its new value", () => {
  const value = parseJson('{"a":1.0,"b":2.0}') as { [key: string]: Json };
  value["a"] = "x";
  expect(jsonText(value)).toBe('{"a":"x","b":2.0}');
});

test("a key named toJSON next to a number is data", () => {
  for (const json of [
    '{"toJSON":"x","a":1.0}',
    '{"a":1.0,"toJSON":2.0}',
    '[{"toJSON":{"toJSON":1.0,"b":[1.0]},"a":1e5}]',
  ])
    expect(jsonText(parseJson(json))).toBe(json);
  const value = parseJson('{"a":1.0,"toJSON":"x"}') as { [key: string]: Json };
  expect([JSON.stringify(value), Object.keys(value), value["toJSON"]]).toEqual([
    '{"a":1,"toJSON":"x"}',
    ["a", "toJSON"],
    "x",
  ]);
});
