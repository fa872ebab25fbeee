import { Fault } from "@assay/base";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EngineEvent } from "../../src/index.ts";
import type { UpstreamEngine } from "../../src/ports/upstream-engine.ts";
import type { RefusalCode } from "../../src/refusal.ts";
import { engineChunk } from "../../src/testing/index.ts";
import { enginePool } from "../../src/upstreams/engine-pool.ts";

type Outcome = "answers" | "breaks off" | "dies" | RefusalCode;

const ELSEWHERE: readonly Outcome[] = ["overloaded", "limited", "quota", "unknown_model", "failed"];

/** Engines with scripted outcomes, and the list of those that were called. */
function engines(outcomes: readonly Outcome[]) {
  const asked: number[] = [];
  const made = outcomes.map(
    (outcome, i): UpstreamEngine => ({
      name: `u${i}`,
      concurrency: 1,
      models: [{ id: "org/model", engineName: "inner" }],
      async *chat() {
        asked.push(i);
        if (outcome === "dies") throw new Fault("unavailable", `u${i} died`);
        if (outcome === "answers" || outcome === "breaks off") {
          yield { type: "chunks", chunks: [engineChunk({ content: `u${i}` })] };
          if (outcome === "breaks off") throw new Fault("unavailable", `u${i} broke off`);
        } else yield { type: "refused", refusal: { code: outcome, message: `u${i} refused` } };
      },
    }),
  );
  return { made, asked };
}

/** What a client receives: which engine answered, which refusal, or which fault. */
async function told(events: AsyncIterable<EngineEvent>): Promise<string> {
  const seen: string[] = [];
  try {
    for await (const event of events)
      seen.push(
        event.type === "refused"
          ? event.refusal.message
          : JSON.stringify(event.chunks).replace(/.*(u\d).*/, "$1"),
      );
  } catch (error) {
    seen.push((error as Fault).message);
  }
  return seen.join(", ");
}

test("the first answer or final refusal counts, and no engine is called twice or after it", async () => {
  const outcome = fc.constantFrom<Outcome>(
    "answers",
    "breaks off",
    "dies",
    "overloaded",
    "unknown_model",
    "invalid",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(outcome, { minLength: 1, maxLength: 5 }), async (outcomes) => {
      const { made, asked } = engines(outcomes);
      const { models, report } = enginePool(made, { now: () => 0 });
      const call = { model: "org/model", request: { model: "org/model", messages: [] } };
      const text = await told(models[0]!.provider.chat(call, new AbortController().signal));
      const isLast = (one: Outcome) => one !== "dies" && !ELSEWHERE.includes(one);
      const last = outcomes.findIndex(isLast);
      const end = last === -1 ? outcomes.length - 1 : last;
      expect(asked).toEqual(Array.from({ length: end + 1 }, (_, i) => i));
      const said: Partial<Record<Outcome, string>> = {
        answers: `u${end}`,
        "breaks off": `u${end}, u${end} broke off`,
        dies: `u${end} died`,
      };
      expect(text).toBe(said[outcomes[end]!] ?? `u${end} refused`);
      expect(report().map(({ active }) => active)).toEqual(outcomes.map(() => 0));
      const isIll = (one: Outcome, i: number) => i <= end && (!isLast(one) || one === "breaks off");
      expect(report().map(({ healthy }) => healthy)).toEqual(outcomes.map((one, i) => !isIll(one, i)));
    }),
  );
});
