// docs/reference/semantics.md, "Row identity": when two trials are about the same row.

import { createHash } from "node:crypto";
import { rowDigest } from "@assay/calls";
import { describe, expect, test } from "vitest";
import { ask, digests, evaluation, row, trial } from "./project.ts";

/** The digest of a text, computed by an independent SHA-256 implementation. */
const digestOf = (text: string): string =>
  createHash("sha256").update(text, "utf8").digest("base64url").replaceAll("-", "X").replaceAll("_", "Y");

describe("a dataset-row reference names its row", () => {
  test("by its part after /attr/rows/id/", () => {
    expect(rowDigest("weave:///acme/demo/object/rows:v1/attr/rows/id/r1")).toBe("r1");
    expect(rowDigest("x/attr/rows/id/anything at all")).toBe("anything at all");
  });

  test.each([
    ["the prefix is missing", "/attr/rows/id/r1"],
    ["the suffix is missing", "weave:///acme/demo/object/rows:v1/attr/rows/id/"],
    ["a slash follows", "weave:///acme/demo/object/rows:v1/attr/rows/id/r1/key/x"],
    ["the separator occurs twice", "a/attr/rows/id/b/attr/rows/id/c"],
  ])("but is plain text when %s", (_, text) => expect(rowDigest(text)).toBe(digestOf(text)));

  test("inside an object it is not a reference", () => {
    expect(rowDigest({ x: row("r1") })).toBe(digestOf(`{"x": "${row("r1")}"}`));
  });
});

describe("any other example is its content", () => {
  test.each([
    ["a string is itself", "hello", "hello"],
    ["a string of JSON is a string too", '{"a": 1}', '{"a": 1}'],
    ["the empty string", "", ""],
    ["null, or nothing", null, "null"],
    ["a boolean", true, "true"],
    ["a list", [1, "a", []], '[1, "a", []]'],
    ["an object", { a: 1, b: {} }, '{"a": 1, "b": {}}'],
    ["keys are sorted at every level", { b: { d: 1, c: 2 }, a: 3 }, '{"a": 3, "b": {"c": 2, "d": 1}}'],
    [
      "by code point, not by UTF-16 unit",
      { "\u{1f600}": 1, "\uffee": 2 },
      '{"\\uffee": 2, "\\ud83d\\ude00": 1}',
    ],
    ["upper case before lower case", { a: 1, B: 2 }, '{"B": 2, "a": 1}'],
    ["non-ASCII characters are escaped", ["é\u007f\u{1f600}"], '["\\u00e9\\u007f\\ud83d\\ude00"]'],
    ["characters that JSON escapes are escaped as in JSON", ['"\\\n\t\u0001/'], '["\\"\\\\\\n\\t\\u0001/"]'],
  ])("%s", (_, example, text) => expect(rowDigest(example)).toBe(digestOf(text)));

  test.each([
    [0, "0"],
    [-0, "0"],
    [1, "1"],
    [-1.5, "-1.5"],
    [0.1, "0.1"],
    [0.30000000000000004, "0.30000000000000004"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [1.5e-7, "1.5e-07"],
    [-1e-100, "-1e-100"],
    [9007199254740991, "9007199254740991"],
    [1e15, "1000000000000000"],
    [1e16, "10000000000000000"],
    [1.25e300, "1.25e+300"],
  ])("the number %d is written %s", (number, text) => expect(rowDigest(number)).toBe(digestOf(text)));

  test("a digest has 43 letters and digits", () => {
    // In plain base64url this digest contains both - and _: OfgmxtJv1CxH3o7u_AS87Xxe3OMhu7YVLX-1Jc2TTIQ.
    expect(rowDigest("row 2")).toBe("OfgmxtJv1CxH3o7uYAS87Xxe3OMhu7YVLXX1Jc2TTIQ");
  });
});

test("a dataset row and an inline row with the same content are one row, whatever their key order", async () => {
  const digest = rowDigest({ question: "2+2?", answer: 4 });
  const calls = [
    evaluation("e1", trial("p1", { of: { question: "2+2?", answer: 4 } })),
    evaluation("e2", trial("p2", { of: { answer: 4, question: "2+2?" } })),
    evaluation("e3", trial("p3", { of: row(digest) })),
  ];
  const answer = await ask(calls, { evaluation_call_ids: ["e1", "e2", "e3"] });
  expect(digests(answer)).toEqual([digest]);
  expect(answer.rows[0]!.evaluations).toHaveLength(3);
});
