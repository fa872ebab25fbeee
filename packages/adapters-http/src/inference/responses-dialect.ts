// The Responses interface, implemented with chat completions. Keeps the latest responses in memory for requests that
// refer to them.

import type { Fields } from "@assay/base/internal";
import { answerChat, type ChatChunk, type ChatRequest } from "@assay/inference-core";
import {
  includesLogprobs,
  type LatestResponses,
  type ResolvedRequest,
  type ResponseEvent,
  type ResponseEvents,
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
    "previous_response_id",
    "temperature",
  ],
  ...["tool_choice", "tools", "top_p", "user", "top_logprobs", "safety_identifier", "prompt_cache_key"],
];

/** One request of `POST /v1/responses`, its response and events. `caller` is the id of the API key. */
export function responsesDialect(latest: LatestResponses, caller: string): Dialect<ChatRequest, ChatChunk> {
  let resolved: ResolvedRequest | undefined;
  const ended = (events: ResponseEvents, body: unknown) => {
    const last = events.end();
    const { store } = body as Fields;
    if (store !== false && resolved !== undefined) latest.keep(caller, resolved, events.response());
    return last;
  };
  return {
    read(body) {
      resolved = latest.resolve(caller, body);
      return readResponsesRequest(resolved);
    },
    begin: answerChat,
    async whole(chunks, body) {
      const events = responseEvents(optionsOf(body));
      for await (const some of chunks) for (const chunk of some) events.push(chunk);
      ended(events, body);
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
        end: () => written(ended(events, body)),
        failure: (error) => typed("error", { type: "error", sequence_number: sent, ...failedMidway(error) }),
      };
    },
  };
}

/** How to write the response. Reasoning is never summarised here. */
function optionsOf(body: unknown): ResponseOptions {
  const given = body as Fields;
  const { effort = null } = (given["reasoning"] ?? {}) as Fields;
  return {
    settings: {
      ...Object.fromEntries(
        REPEATED.filter((name) => given[name] != null).map((name) => [name, given[name]]),
      ),
      store: given["store"] !== false,
      reasoning: { effort, summary: null },
      text: { format: { type: "text" }, ...(given["text"] ?? {}) },
    },
    logprobs: includesLogprobs(given),
  };
}

function typed(type: string, data: object): string {
  return eventOf(JSON.stringify(data), { event: type });
}
