// An engine without latency, in a separate process: answers a chat immediately, whole or in `max_tokens` chunks with
// `seed` milliseconds between them. Prints its port.

import { createServer } from "node:http";

const TEXT = "The answer is the second of the four choices. ";
const MESSAGE = { role: "assistant", content: TEXT.repeat(4) };
const ENVELOPE = { id: "chatcmpl-bench", created: 1_700_000_000, model: "bench" };
const WHOLE = JSON.stringify({
  ...ENVELOPE,
  object: "chat.completion",
  choices: [{ index: 0, message: MESSAGE, finish_reason: "stop", logprobs: null }],
  usage: { prompt_tokens: 20, completion_tokens: 40, total_tokens: 60 },
});

const event = (choices, usage) =>
  `data: ${JSON.stringify({ ...ENVELOPE, object: "chat.completion.chunk", choices, ...(usage && { usage }) })}\n\n`;
const choice = (delta, finish_reason = null) => [{ index: 0, delta, finish_reason, logprobs: null }];
const FIRST = event(choice({ role: "assistant", content: "" }));
const MORE = event(choice({ content: " word" }));
const LAST = `${event(choice({}, "stop"))}${event([], { prompt_tokens: 20, completion_tokens: 40, total_tokens: 60 })}data: [DONE]\n\n`;

const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  const { stream, max_tokens: chunks = 1, seed: gap = 0 } = JSON.parse(body);
  if (!stream) {
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(WHOLE),
    });
    response.end(WHOLE);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(FIRST);
  let gone = false;
  response.on("close", () => {
    gone = true;
  });
  for (let sent = 0; sent < chunks && !gone; sent++) {
    // Writes each chunk separately, as an engine that generates one token at a time.
    if (gap > 0) await new Promise((resume) => setTimeout(resume, gap));
    else if (sent % 8 === 7) await new Promise((resume) => setImmediate(resume));
    response.write(MORE);
  }
  response.end(LAST);
});
server.keepAliveTimeout = 60_000;
// A thousand clients may connect at the same time.
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () =>
  console.log(`port ${server.address().port}`),
);
