// Results compared between browsers and Node: trained weights and their answers must be equal to the bit.

import { encodeCheckpoint } from "../src/model/checkpoint.ts";
import { crc32 } from "../src/model/crc32.ts";
import { baseModel, createModel } from "../src/model/model.ts";
import { sampleTokens } from "../src/sample.ts";
import { promptOf } from "../src/tokens/chat-template.ts";
import { planRl } from "../src/training/rl.ts";
import { planSft } from "../src/training/sft.ts";

const question = { role: "user", content: "What colour is the sky?" };

export async function page(): Promise<unknown> {
  const model = createModel(7, { window: 16, context: 64, words: 64, embedding: 8, hidden: 32, layers: 1 });
  const rows = [{ messages: [question, { role: "assistant", content: "blue" }] }];
  for (const _ of planSft(rows, { epochs: 5 }).run(model));
  const attempts = [1, 2, 3].map((seed) => {
    const said = [...sampleTokens(model, promptOf([question]), { seed, maxTokens: 6 })];
    const content = said.map(({ token, logprob }) => ({ token: `token_id:${token}`, logprob }));
    const message = { role: "assistant", content: said.map(({ text }) => text).join("") };
    const choice = { finish_reason: "stop", message, logprobs: { content } };
    return { messages_and_choices: [question, choice], reward: seed };
  });
  const plan = planRl([{ trajectories: attempts }], { loss: "ppo", importanceSamplingLevel: "sequence" });
  if (!plan.ok) throw new Error(JSON.stringify(plan.issues));
  for (const _ of plan.value.run(model));
  const answer = [...sampleTokens(baseModel("assay/tiny")!, promptOf([question]), { seed: 3, maxTokens: 8 })];
  return { attempts, checkpoint: crc32(encodeCheckpoint(model)), answer };
}
