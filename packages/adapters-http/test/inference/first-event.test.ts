// When a streamed answer leaves the server: nothing before the engine's first chunk, then each chunk at once.

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { engineChunk } from "@assay/inference-core/testing";
import { expect, test } from "vitest";
import { createHandler, serveHttp } from "../../src/index.ts";
import { world } from "./fixture.ts";

const say = (delta: object, finish_reason: string | null = null) =>
  engineChunk({ choices: [{ index: 0, delta, finish_reason }] });

/** A gate that a test opens or waits for. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

// The second case changes process-wide settings, as a server with a process of its own does.
test.each([false, true])(
  "headers wait for the first event, which is sent at once (own process: %s)",
  async (ownsProcess) => {
    const [asked, begin, resume] = [gate(), gate(), gate()];
    const { group } = world(async function* () {
      asked.open();
      await begin.passed;
      yield say({ content: "one" });
      await resume.passed;
      yield say({ content: "two" }, "stop");
    });
    const server = await serveHttp({ handler: createHandler({ routes: [group] }), port: 0, ownsProcess });
    try {
      const sent = request(`${server.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: "Bearer key-a", "content-type": "application/json" },
      });
      sent.end(
        JSON.stringify({ model: "org/model", messages: [{ role: "user", content: "hi" }], stream: true }),
      );
      let response: IncomingMessage | undefined;
      const responded = once(sent, "response").then(([one]) => {
        response = one as IncomingMessage;
      });
      await asked.passed;
      // A status cannot change once it is sent.
      await fetch(`${server.url}/v1/health`);
      expect(response).toBeUndefined();

      begin.open();
      await responded;
      expect(response?.statusCode).toBe(200);
      let text = "";
      response?.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      // The engine holds back the rest until the client has this chunk.
      await expect.poll(() => text).toMatch(/^data: .*"content":"one".*\n\n$/);

      resume.open();
      await once(response!, "end");
      expect(text.split("\n\n").slice(1)).toEqual([
        expect.stringContaining('"content":"two"'),
        "data: [DONE]",
        "",
      ]);
    } finally {
      await server.close();
    }
  },
);
