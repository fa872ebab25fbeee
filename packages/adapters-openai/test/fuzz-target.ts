// Fuzz target for the streams of engines: answers over a real socket, corrupted, split into pieces and broken off,
// become a strict stream or a fault.

import { Fault } from "@assay/base";
import type { ChatChunk } from "@assay/inference-core";
import { normaliser } from "@assay/inference-core/internal";
import { type Behaviour, engineDouble, piece, used } from "@assay/testing/engine-double";
import type { FuzzTarget } from "@assay/testing/fuzz-target";
import { type Change, change, mutatedBytes } from "@assay/testing/mutated-bytes";
import fc from "fast-check";
import { openUpstreams } from "../src/index.ts";

/** An engine's answer to one request. */
interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
  readonly cuts: readonly number[];
  /** Whether the connection is destroyed instead of the answer ended. */
  readonly broken: boolean;
}

const event = (data: unknown) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
const tool = (index: number, name: string, text: string) =>
  piece({
    tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name, arguments: text } }],
  });
const logprobs = { logprobs: { content: [{ token: "Hel", logprob: -0.25, bytes: [72], top_logprobs: [] }] } };

/**
 * Streams of well-behaved engines: text with log-probabilities, tools, reasoning, an error midway, an answer in one
 * piece.
 */
const STREAMS: readonly string[] = [
  [
    piece({ role: "assistant", content: "" }),
    piece({ content: "Hel" }, null, logprobs),
    piece({ content: "lo 😀" }),
    piece({}, "stop"),
    used,
    "[DONE]",
  ],
  [
    piece({ role: "assistant", content: null }),
    tool(0, "f", '{"x"'),
    tool(1, "g", "{}"),
    piece({}, "tool_calls"),
    "[DONE]",
  ],
  [piece({ reasoning_content: "so" }), piece({ content: "a" }, "length"), { ...used, choices: [] }],
  [piece({ content: "a" }), { error: { message: "out of memory", type: "server_error", code: 500 } }],
].map((events) => events.map(event).join(""));
const WHOLE = JSON.stringify({
  id: "x",
  choices: [{ index: 0, message: { role: "assistant", content: "all" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

const answer: fc.Arbitrary<Answer> = fc
  .record({
    base: fc.constantFrom(...STREAMS, ...STREAMS, WHOLE),
    changes: fc.array(change, { maxLength: 4 }),
    status: fc.constantFrom(200, 200, 200, 200, 400, 404, 429, 500, 503),
    type: fc.constantFrom("text/event-stream", "text/event-stream", "application/json", "text/html", ""),
    cuts: fc.array(fc.nat(2000), { maxLength: 6 }),
    broken: fc.boolean(),
  })
  .map(({ base, changes, ...rest }) => ({ ...rest, body: broken(base, changes) }));

/** A stream with changes. Changes of values affect its events, which are JSON. */
function broken(base: string, changes: readonly Change[]): Uint8Array {
  const lines = base.replaceAll("data: ", "");
  const inEvents = changes.filter(({ kind }) => kind === "value" || kind === "key");
  const others = changes.filter((one) => !inEvents.includes(one));
  const changed = new TextDecoder().decode(mutatedBytes(new TextEncoder().encode(lines), inEvents));
  const back = base === WHOLE ? changed : changed.replaceAll(/^(?=.)/gm, "data: ");
  return mutatedBytes(new TextEncoder().encode(back), others);
}

const behaviour =
  (next: () => Answer): Behaviour =>
  async (response) => {
    const { status, type, body, cuts, broken } = next();
    response.writeHead(status, { ...(type !== "" && { "content-type": type }) });
    let from = 0;
    for (const cut of [...cuts].sort((a, b) => a - b)) {
      response.write(body.subarray(from, cut));
      from = Math.max(from, cut);
      await new Promise((resume) => setImmediate(resume));
    }
    if (!broken) response.end(body.subarray(from));
    else response.write(body.subarray(from), () => response.destroy());
  };

/**
 * Throws unless a strict stream was sent: a role first, one finish reason last, complete tool calls, and valid counts.
 */
function assertStrict(sent: readonly ChatChunk[]): void {
  const own = sent.flatMap(({ choices }) => choices);
  own.forEach(({ delta, finish_reason, index }, at) => {
    if (index !== 0) throw new Error(`has a choice ${index}`);
    if ((delta.role === "assistant") !== (at === 0)) throw new Error(`has a role on delta ${at}`);
    if ((finish_reason !== null) !== (at === own.length - 1))
      throw new Error(`ends on delta ${at} of ${own.length}`);
    if (delta.content !== undefined && delta.content !== null && typeof delta.content !== "string")
      throw new Error("has content that is not text");
    for (const {
      index: place,
      function: { arguments: text },
    } of delta.tool_calls ?? [])
      if (!Number.isInteger(place) || typeof text !== "string") throw new Error("has an invalid tool call");
  });
  const usage = sent.at(-1)?.usage;
  for (const count of [usage?.prompt_tokens, usage?.completion_tokens, usage?.total_tokens])
    if (!Number.isSafeInteger(count) || count! < 0) throw new Error(`counts ${String(count)} tokens`);
}

/** Property: a corrupted answer is a strict stream, a refusal with a message, or a fault. */
function brokenStreams(): fc.IAsyncProperty<[Answer]> {
  let now: Answer;
  let asked: Promise<ReturnType<typeof openUpstreams>> | undefined;
  const upstreams = async () => {
    const engine = await engineDouble(
      {},
      behaviour(() => now),
    );
    return openUpstreams(
      [
        {
          name: "u",
          url: engine.url,
          concurrency: 4,
          timeouts: { connect: 5000, firstByte: 5000, idle: 5000, whole: 5000 },
          continuousUsage: false,
          models: [{ id: "org/model", engineName: "inner" }],
        },
      ],
      // Far apart in time, so that an earlier failure does not mark an upstream as down.
      { now: () => (clock += 3_600_000) },
    );
  };
  let clock = 0;
  return fc.asyncProperty(answer, async (one) => {
    now = one;
    asked ??= upstreams();
    const [model] = (await asked).models;
    const request = { model: "org/model", messages: [{ role: "user", content: "hi" }] };
    let ids = 0;
    const strict = normaliser({
      ...{ id: "x", created: 0, model: "x", choices: 1, logprobs: true, usage: "last" as const },
      newId: () => `id${++ids}`,
      estimatePrompt: () => 1,
    });
    const sent: ChatChunk[] = [];
    try {
      for await (const event of model!.provider.chat(
        { model: "org/model", request },
        new AbortController().signal,
      )) {
        if (event.type === "chunks") sent.push(...event.chunks.flatMap((chunk) => strict.push(chunk)));
        else if (event.type === "refused") {
          if (event.refusal.message === "" || event.refusal.message.length > 5000)
            throw new Error(`has a refusal of ${event.refusal.message.length} characters`);
          return;
        }
      }
      sent.push(...strict.end());
    } catch (error) {
      if (error instanceof Fault && error.message !== "") return;
      throw error;
    }
    assertStrict(sent);
  });
}

/** For `npm run fuzz`. */
export const streamsTarget: FuzzTarget = {
  name: "streams",
  what: "answers of engines, corrupted, split or broken off: a strict stream, a refusal, or a fault",
  patience: 30_000,
  memory: 512,
  few: 60,
  property: brokenStreams,
};
