// The Responses interface over the same answers: nothing is kept, so that each request repeats the whole conversation.

import { answerChat, type ChatChunk, type ChatRequest } from "@assay/inference-core";
import {
  includesLogprobs,
  type ResponseEvent,
  type ResponseOptions,
  readResponsesRequest,
  responseEvents,
} from "@assay/inference-core/internal";
import { eventOf } from "../response/server-sent-events.ts";
import type { Dialect } from "./chat-route.ts";
import { failedMidway } from "./problem.ts";

/** Fields of a request that its response repeats. */
const REPEATED = [
  ...[
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "parallel_tool_calls",
    "temperature",
  ],
  ...["tool_choice", "tools", "top_p", "user", "top_logprobs", "safety_identifier", "prompt_cache_key"],
];

/** Requests, responses and events of `POST /v1/responses`. */
export const responsesDialect: Dialect<ChatRequest, ChatChunk> = {
  read: readResponsesRequest,
  begin: answerChat,
  async whole(chunks, body) {
    const events = responseEvents(optionsOf(body));
    for await (const some of chunks) for (const chunk of some) events.push(chunk);
    events.end();
    return events.response();
  },
  writer(body) {
    const events = responseEvents(optionsOf(body));
    let sent = 0;
    const written = (list: readonly ResponseEvent[]) => {
      sent += list.length;
      return list.map((event) => typed(event.type, event)).join("");
    };
    return {
      chunks: (chunks) => written(chunks.flatMap((chunk) => events.push(chunk))),
      end: () => written(events.end()),
      failure: (error) => typed("error", { type: "error", sequence_number: sent, ...failedMidway(error) }),
    };
  },
};

/** How to write the response. Reasoning is never summarised here. */
function optionsOf(body: unknown): ResponseOptions {
  const given = body as { readonly [field: string]: unknown };
  const { effort = null } = (given["reasoning"] ?? {}) as { readonly effort?: unknown };
  return {
    settings: {
      ...Object.fromEntries(
        REPEATED.filter((name) => given[name] != null).map((name) => [name, given[name]]),
      ),
      reasoning: { effort, summary: null },
      text: { format: { type: "text" }, ...(given["text"] ?? {}) },
    },
    logprobs: includesLogprobs(given),
  };
}

function typed(type: string, data: object): string {
  return eventOf(JSON.stringify(data), { event: type });
}
