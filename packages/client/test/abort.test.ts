import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { assayClient } from "../src/index.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("an abort ends an answer that is being read, even if the request was garbage-collected", async () => {
  const server = createServer((_, response) => response.write("one line\n"));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = assayClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
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
