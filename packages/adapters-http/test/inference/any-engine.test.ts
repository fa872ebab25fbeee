// Whatever an engine streams, every client reads a whole answer or an error, never a truncated answer that looks whole.

import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { engineChunk } from "@assay/inference-core/testing";
import { engineChunks } from "@assay/testing/engine-chunks";
import { streamText } from "ai";
import fc from "fast-check";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { world } from "./fixture.ts";

const messages = [{ role: "user" as const, content: "hi" }];
const runs = Number(process.env["ASSAY_RUNS"] ?? 60);

/** What a client read: the text, and whether the client considered it complete. */
interface Read {
  readonly text: string;
  readonly whole: boolean;
}

test("four clients agree on every stream", async () => {
  let wholes = 0;
  await fc.assert(
    fc.asyncProperty(engineChunks, async (chunks) => {
      const { fetch, usage } = world(() => chunks.map(engineChunk), {});
      const common = { apiKey: "key-a", baseURL: "http://localhost/v1", fetch };
      const openai = new OpenAI({ ...common, maxRetries: 0 });
      const ask = { model: "org/model", messages };
      const vercel = async (model: Parameters<typeof streamText>[0]["model"]): Promise<Read> => {
        let failed = false;
        const fail = () => {
          failed = true;
        };
        const result = streamText({ model, messages, maxRetries: 0, onError: fail });
        let text = "";
        for await (const part of result.textStream) text += part;
        return { text, whole: !failed };
      };
      const attempt = async (read: (said: (text: string) => void) => Promise<void>): Promise<Read> => {
        let text = "";
        try {
          await read((more) => {
            text += more;
          });
          return { text, whole: true };
        } catch (error) {
          if (!(error instanceof OpenAI.OpenAIError)) throw error;
          return { text, whole: false };
        }
      };

      const raw = await attempt(async (said) => {
        const stream = await openai.chat.completions.create({ ...ask, stream: true });
        for await (const chunk of stream) said(chunk.choices[0]?.delta.content ?? "");
      });
      const helper = await attempt(async (said) => {
        const stream = openai.chat.completions.stream(ask).on("content", said);
        const answer = await stream.finalChatCompletion();
        expect(answer.choices[0]?.finish_reason).toBeTruthy();
      });
      const whole = await attempt(async (said) => {
        said((await openai.chat.completions.create(ask)).choices[0]?.message.content ?? "");
      });
      const compatible = await vercel(createOpenAICompatible({ name: "assay", ...common })("org/model"));
      const official = await vercel(createOpenAI(common).chat("org/model"));

      for (const read of [helper, compatible, official]) expect(read).toEqual(raw);
      expect(whole.whole).toBe(raw.whole);
      if (raw.whole) expect(whole.text).toBe(raw.text);
      wholes += Number(raw.whole);
      // Streaming and the choice of client do not change the recorded usage.
      const cost = usage.records().map(({ outcome, promptTokens, generatedTokens }) => ({
        outcome,
        promptTokens,
        generatedTokens,
      }));
      expect(cost).toEqual(cost.map(() => cost[0]));
      expect(cost).toHaveLength(5);
    }),
    { numRuns: runs },
  );
  // Some answers must be whole.
  expect(wholes).toBeGreaterThan(runs / 20);
});
