// Evaluates a model on the held-out numbers: queries it, scores its answers, and logs everything.

import { randomUUID } from "node:crypto";
import type { Service } from "./service.ts";
import { HELD_OUT, questionOf, scoresOf, sizeOf } from "./task.ts";

/** How often each number is asked: the model samples, so answers vary. */
const TRIALS = 3;

const refOf = (project: string, object: string) => `weave:///${project}/object/${object}:v0`;

/** Logs the dataset: the held-out numbers and their sizes. */
export async function logDataset(service: Service, project: string): Promise<void> {
  const rows = HELD_OUT.map((number) => ({
    digest: `number-${questionOf(number).content}`,
    val: { number: questionOf(number).content, size: sizeOf(number) },
  }));
  await service.log(project, "rows", rows);
}

/** Asks `model` every held-out number and logs the evaluation `name`; resolves to its id. */
export async function evaluate(
  service: Service,
  project: string,
  name: string,
  model: string,
): Promise<string> {
  const id = randomUUID();
  const shared = { trace_id: id, attributes: {}, summary: {} };
  const started_at = new Date().toISOString();
  const calls: object[] = [];
  for (const number of HELD_OUT) {
    const question = questionOf(number);
    const begun = performance.now();
    // Every model gets the same seeds, so that only the models differ.
    const choices = await service.chat(model, [question], TRIALS, 1000 + number);
    const model_latency = (performance.now() - begun) / 1000 / TRIALS;
    for (const { message } of choices) {
      const scores = { answer: scoresOf(message.content ?? "", number) };
      calls.push({
        ...shared,
        id: randomUUID(),
        parent_id: id,
        op_name: refOf(project, "Evaluation.predict_and_score").replace("/object/", "/op/"),
        started_at,
        ended_at: new Date().toISOString(),
        inputs: { example: `${refOf(project, "numbers")}/attr/rows/id/number-${question.content}` },
        output: { output: message.content, scores, model_latency },
      });
    }
  }
  const root = {
    ...shared,
    id,
    parent_id: null,
    display_name: name,
    op_name: refOf(project, "Evaluation.evaluate").replace("/object/", "/op/"),
    started_at,
    ended_at: new Date().toISOString(),
    inputs: { self: refOf(project, "held-out-numbers"), model: refOf(project, name.replaceAll(" ", "-")) },
    output: null,
  };
  await service.log(project, "calls", [root, ...calls]);
  return id;
}
