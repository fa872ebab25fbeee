// A redacted field disappears from everything that a file has of its trial, and from nothing else.

import { expect, test } from "vitest";
import { type LoggedCall, Redaction } from "../src/export/redaction.ts";

const SECRET = "the colour of the queen's horse";
const trial = (id: string, question: string): LoggedCall => ({
  ...{ id, parent_id: "evaluation", trace_id: "trace", attributes: { said: `asked: ${question}` } },
  inputs: { example: { question, number: 7 } },
  output: { output: { text: "white", reason: `of ${question}` }, scores: { correct: true } },
});
const below = (parent: string, text: string): LoggedCall => ({
  ...{ id: `${parent}-model`, parent_id: parent, trace_id: "trace", inputs: { prompt: `Answer: ${text}` } },
});

test("an input is redacted in its trial, and in the prompts below it", () => {
  const redaction = new Redaction([["inputs", "question"]]);
  const redacted = redaction.trial(trial("one", SECRET));
  expect(redacted["inputs"]).toEqual({ example: { question: "[redacted 1]", number: 7 } });
  expect(redacted["attributes"]).toEqual({ said: "asked: [redacted 1]" });
  expect(redacted["output"]).toEqual({
    output: { text: "white", reason: "of [redacted 1]" },
    scores: { correct: true },
  });
  expect(redaction.call(below("one", SECRET))["inputs"]).toEqual({ prompt: "Answer: [redacted 1]" });
  expect(redaction.call(below("one-model", SECRET))["inputs"]).toEqual({ prompt: "Answer: [redacted 1]" });
  expect(redaction.call(below("other", SECRET))["inputs"]).toEqual({ prompt: `Answer: ${SECRET}` });
});

test("equal values have equal placeholders, and different ones different placeholders", () => {
  const redaction = new Redaction([["inputs", "question"]]);
  const standIn = (id: string, question: string) =>
    (redaction.trial(trial(id, question))["inputs"] as { example: { question: string } }).example.question;
  expect(standIn("one", SECRET)).toBe(standIn("two", SECRET));
  expect(standIn("three", "another question")).not.toBe(standIn("one", SECRET));
});

test("a dataset row gets a new digest, and so do its reference and its trials", () => {
  const redaction = new Redaction([["inputs", "question"]]);
  const ref = "weave:///acme/demo/object/rows:v0/attr/rows/id/0123abcd";
  const row = redaction.row({ digest: "0123abcd", val: { question: SECRET, number: 7 }, ref });
  expect(row).toMatchObject({ val: { question: "[redacted 1]", number: 7 } });
  expect(row["digest"]).not.toBe("0123abcd");
  expect(row["ref"]).toBe(ref.replace("0123abcd", String(row["digest"])));
  const redacted = redaction.trial({ ...trial("one", ""), inputs: { example: ref } });
  expect(redacted["inputs"]).toEqual({ example: row["ref"] });
  expect(JSON.stringify(redaction.call(below("one", SECRET)))).not.toContain(SECRET);
});

test("outputs and scores are redacted in place, and an unused field is reported", () => {
  const fields = [
    ["outputs", "text"],
    ["scores", "correct"],
    ["inputs", "answer"],
  ];
  const redaction = new Redaction(fields);
  const { output, inputs } = redaction.trial(trial("one", SECRET));
  expect(output).toMatchObject({
    output: { text: expect.stringMatching(/^\[redacted \d\]$/) },
    scores: { correct: expect.stringMatching(/^\[redacted \d\]$/) },
  });
  expect(inputs).toEqual({ example: { question: SECRET, number: 7 } });
  expect(redaction.untouched()).toEqual([["inputs", "answer"]]);
});
