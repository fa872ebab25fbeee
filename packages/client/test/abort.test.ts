import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { type AssayClient, assayClient } from "../src/index.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

async function clientOf(answer: RequestListener): Promise<AssayClient> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return assayClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

test.each([200, 500])("an abort while an answer of %i is read is a cancellation", async (status) => {
  const client = await clientOf((_, response) => response.writeHead(status).write('{"object": '));
  const stop = new AbortController();
  const answer = client.ask("GET /v1/models", { signal: stop.signal });
  setTimeout(() => stop.abort(), 100);
  await expect(answer).rejects.toMatchObject({ code: "cancelled" });
});

test("an abort ends an answer that is being read, even if the request was garbage-collected", async () => {
  const client = await clientOf((_, response) => response.write("one line\n"));
  const stop = new AbortController();
  const { body } = await client.open("GET /v2/{entity}/{project}/eval_results/watch", {
    path: { entity: "me", project: "p" },
    query: { evaluation: ["run"] },
    signal: stop.signal,
  });
  const reader = body!.getReader();
  await reader.read();
  for (let turn = 0; turn < 10; turn++) {
    collectGarbage();
    await new Promise((next) => setTimeout(next, 2));
  }
  const more = reader.read();
  stop.abort(new Error("stopped"));
  await expect(more).rejects.toThrow();
});
