// The laws of a chat provider.

import { Fault, type Law, type Open } from "@assay/base";
import { expectSame, expectThat, lawsFor } from "@assay/base/internal";
import { normaliser } from "../normalise/normalise.ts";
import type { Normaliser } from "../normalise/normalise-chunks.ts";
import type { ChatCall, ChatProvider, EngineEvent } from "../ports/chat-provider.ts";

/** A provider, and a call that it answers with at least two chunks. */
export interface ProviderBench {
  /** The provider to check. */
  readonly provider: ChatProvider;
  /** A call that the provider can answer. */
  readonly call: ChatCall;
}

/** The laws of a `ChatProvider`. `open` creates one each time. */
export function chatProviderLaws(open: Open<ProviderBench>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("an answer is complete and includes its usage", async ({ provider, call }) => {
      const answer = answerTo(call);
      for await (const event of provider.chat(call, new AbortController().signal)) {
        if (event.type === "chunks") for (const chunk of event.chunks) answer.push(chunk);
      }
      answer.end();
      const { completion, byEngine } = answer.count();
      expectThat(byEngine && completion > 0, "the engine counts its tokens");
    }),

    law("every requested choice is answered", async ({ provider, call }) => {
      const twice: ChatCall = { ...call, request: { ...call.request, n: 2 } };
      const answer = answerTo(twice);
      for await (const event of provider.chat(twice, new AbortController().signal)) {
        if (event.type === "chunks") for (const chunk of event.chunks) answer.push(chunk);
      }
      expectThat(answer.isWhole(), "both choices end");
    }),

    law("log-probabilities are returned when requested", async ({ provider, call }) => {
      const asking: ChatCall = { ...call, request: { ...call.request, logprobs: true } };
      const answer = answerTo(asking);
      let tokens = 0;
      for await (const event of provider.chat(asking, new AbortController().signal)) {
        if (event.type !== "chunks") continue;
        for (const { choices } of event.chunks.flatMap((chunk) => answer.push(chunk)))
          tokens += choices[0]?.logprobs?.content?.length ?? 0;
      }
      expectThat(tokens > 0, "there are tokens with log-probabilities");
    }),

    law("a call that is already cancelled throws the fault `cancelled`", async ({ provider, call }) => {
      expectSame(await faultOf(provider.chat(call, AbortSignal.abort())), "cancelled", "the fault");
    }),

    law("a call that is cancelled half-way throws the fault `cancelled`", async ({ provider, call }) => {
      const controller = new AbortController();
      const events = provider.chat(call, controller.signal)[Symbol.asyncIterator]();
      await events.next();
      controller.abort();
      expectSame(await faultOf({ [Symbol.asyncIterator]: () => events }), "cancelled", "the fault");
    }),

    law("a provider can still answer after a reader stops early", async ({ provider, call }) => {
      for await (const _event of provider.chat(call, new AbortController().signal)) break;
      const answer = answerTo(call);
      for await (const event of provider.chat(call, new AbortController().signal)) {
        if (event.type === "chunks") for (const chunk of event.chunks) answer.push(chunk);
      }
      expectThat(answer.isWhole(), "the next answer is whole");
    }),
  ];
}

function answerTo({ model, request }: ChatCall): Normaliser {
  return normaliser({
    id: "chatcmpl-law",
    created: 0,
    model,
    choices: request.n ?? 1,
    logprobs: true,
    usage: "last",
    newId: () => "law",
    estimatePrompt: () => 0,
  });
}

async function faultOf(events: AsyncIterable<EngineEvent>): Promise<string> {
  try {
    for await (const _event of events);
    return "none";
  } catch (error) {
    return error instanceof Fault ? error.code : String(error);
  }
}
