// The bundled base model: it was trained from the current text of the repository, and is as good as documented.

import { describe, expect, test } from "vitest";
import { corpusDigest } from "../pretraining/recipe.ts";
import { baseModel, TINY_SHAPE } from "../src/model/model.ts";
import { CORPUS_DIGEST, PRETRAINED_WEIGHTS } from "../src/model/pretrained-weights.ts";
import { sampleTokens } from "../src/sample.ts";
import { promptOf } from "../src/tokens/chat-template.ts";

const model = baseModel("assay/tiny")!;

function answerTo(question: string, system?: string): string {
  const asked = { role: "user", content: question };
  const prompt = promptOf(system === undefined ? [asked] : [{ role: "system", content: system }, asked]);
  return [...sampleTokens(model, prompt, { seed: 1, temperature: 0 })].map(({ text }) => text).join("");
}

describe("the base model", () => {
  test("was trained from the current text and recipe: npm run pretrain trains it again", () => {
    expect(CORPUS_DIGEST).toBe(corpusDigest());
    expect(model.shape).toEqual(TINY_SHAPE);
    expect(PRETRAINED_WEIGHTS.length).toBeLessThan(1_000_000);
  });

  test.each([
    ["What is the capital of France?", "The capital of France is Paris."],
    ["what is the capital of kenya", "The capital of Kenya is Nairobi."],
    ["What colour is the sky?", "The sky is blue."],
    ["What is 2 + 3?", "2 plus 3 is 5."],
    ["What is the opposite of hot?", "The opposite of hot is cold."],
    ["What day comes after Friday?", "After Friday comes Saturday."],
    ["What does a cow say?", "A cow says moo."],
    ["What is Assay?", "Assay compares evaluations, trains models and serves them."],
  ])("answers %j with a plain sentence", (question, answer) => {
    expect(answerTo(question)).toBe(answer);
    expect(answerTo(question, "You are a helpful assistant.")).toBe(answer);
  });
});
