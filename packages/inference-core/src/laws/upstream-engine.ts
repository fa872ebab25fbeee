// The laws of an engine among several: those of a provider's chats, and those about its description and missing
// features.

import type { Law, Open } from "@assay/base";
import { expectSame, expectThat, lawsFor } from "@assay/base/internal";
import type { EngineEvent } from "../ports/chat-provider.ts";
import type { UpstreamEngine } from "../ports/upstream-engine.ts";
import type { ChatRequest } from "../requests/chat-request.ts";
import { chatProviderLaws } from "./chat-provider.ts";

/** An engine, and a request that its first model answers with at least two chunks. */
export interface EngineBench {
  /** The engine to check. */
  readonly engine: UpstreamEngine;
  /** A conversation that it can continue. */
  readonly request: ChatRequest;
}

/** The laws of an `UpstreamEngine`. `open` creates one each time. */
export function upstreamEngineLaws(open: Open<EngineBench>): readonly Law[] {
  const law = lawsFor(open);
  return [
    ...chatProviderLaws(async () => {
      const { engine, request } = await open();
      const { id, engineName } = engine.models[0]!;
      return {
        provider: { chat: (call, signal) => engine.chat(engineName, call.request, signal) },
        call: { model: id, request: { ...request, model: id } },
      };
    }),

    law("it takes at least one request, and names each model once", async ({ engine }) => {
      expectThat(Number.isInteger(engine.concurrency) && engine.concurrency > 0, "a number of requests");
      const ids = engine.models.map(({ id }) => id);
      expectSame([...new Set(ids)], ids, "the models");
    }),

    law("it has a method for everything that its models serve", async ({ engine }) => {
      for (const { serves = [] } of engine.models) {
        if (serves.includes("completions"))
          expectThat(engine.continueText !== undefined, "it continues texts");
        if (serves.includes("embeddings")) expectThat(engine.embed !== undefined, "it embeds texts");
      }
    }),

    law("an unknown model is refused, and nothing more is sent", async ({ engine, request }) => {
      const events: EngineEvent[] = [];
      const chat = engine.chat("no-such-model", { ...request }, new AbortController().signal);
      for await (const event of chat) events.push(event);
      const refused = events.map((event) => (event.type === "refused" ? event.refusal.code : event.type));
      expectSame(refused, ["unknown_model"], "what was sent");
    }),
  ];
}
