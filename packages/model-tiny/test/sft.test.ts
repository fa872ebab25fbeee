import { createHash } from "node:crypto";
import { Fault } from "@assay/base";
import { describe, expect, test } from "vitest";
import { encodeCheckpoint } from "../src/model/checkpoint.ts";
import { baseModel, createModel } from "../src/model/model.ts";
import { sampleTokens } from "../src/sample.ts";
import { promptOf } from "../src/tokens/chat-template.ts";
import { lossOf, planSft, type SftRow, sftSequence } from "../src/training/sft.ts";

const row = (question: string, answer: string): SftRow => ({
  messages: [
    { role: "user", content: question },
    { role: "assistant", content: answer },
  ],
});

/** The 100 sums of two digits, every fifth of them held out. */
const SUMS = Array.from({ length: 100 }, (_, i) => [Math.floor(i / 10), i % 10] as const).map(([a, b]) =>
  row(`${a}+${b}`, `it is ${a + b}`),
);
const HELD_OUT = SUMS.filter((_, i) => (i * 7) % 5 === 0);
const TRAIN = SUMS.filter((_, i) => (i * 7) % 5 !== 0);

describe("supervised fine-tuning", () => {
  test("halves the loss on held-out rows", () => {
    const heldOut = HELD_OUT.map((each) => sftSequence(each));
    const before = lossOf(baseModel("assay/tiny")!, heldOut);
    const model = baseModel("assay/tiny")!;
    const plan = planSft(TRAIN, { batchSize: 8, epochs: 4 });
    const steps = [...plan.run(model)].filter((metrics) => metrics !== undefined);
    const after = lossOf(model, heldOut);
    expect(after).toBeLessThan(before / 2);
    expect(steps.length).toBe(plan.steps);
    expect(plan.steps).toBe(40);
    expect(steps.at(-1)!.loss).toBeLessThan(steps[0]!.loss! / 2);
  });

  test("is repeatable, to the bit", () => {
    const digest = () => {
      const model = baseModel("assay/tiny")!;
      for (const _ of planSft(TRAIN.slice(0, 16), { batchSize: 8 }).run(model));
      return createHash("sha256").update(encodeCheckpoint(model)).digest("hex");
    };
    expect(digest()).toBe(digest());
  });

  test("memorises answers, and repeats them", () => {
    const model = createModel(1);
    const facts = [row("France?", "Paris"), row("Japan?", "Tokyo"), row("Kenya?", "Nairobi")];
    for (const _ of planSft(facts, { batchSize: 3, epochs: 40 }).run(model));
    for (const { messages } of facts) {
      const said = [...sampleTokens(model, promptOf(messages.slice(0, 1)), { seed: 1, temperature: 0 })];
      expect(said.map((token) => token.text).join("")).toBe(messages[1]!.content);
      expect(said.at(-1)!.finish).toBe("stop");
    }
  });

  test("accepts a learning rate for each batch", () => {
    const rates = [0.001, 0.002];
    const plan = planSft(TRAIN.slice(0, 6), { learningRate: rates });
    const steps = [...plan.run(createModel(1))].filter((metrics) => metrics !== undefined);
    expect(steps.map((metrics) => metrics["learning_rate"])).toEqual([0.001, 0.002, 0.002]);
  });

  test("rows without a training signal take no steps, and leave the model unchanged", () => {
    const plan = planSft([{ messages: [{ role: "user", content: "hi" }] }, { messages: [] }], { epochs: 3 });
    expect(plan.steps).toBe(0);
    expect([...plan.run(createModel(1))]).toEqual([]);
  });

  test("diverging numbers are a fault, not a metric", () => {
    const run = planSft(TRAIN, { learningRate: 1e38 }).run(createModel(1));
    expect(() => [...run]).toThrow(Fault);
  });

  test("pauses during long updates", () => {
    const long = row("?", "a".repeat(200));
    const rests = [...planSft([long]).run(createModel(1))].filter((metrics) => metrics === undefined);
    expect(rests.length).toBe(12);
  });
});
