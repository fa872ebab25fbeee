// A handler mounted behind other code of a Node server.

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { nodeListener } from "../src/index.ts";

async function served(before: (request: IncomingMessage) => Promise<unknown>): Promise<string> {
  const answer = nodeListener(async (request) => new Response(await request.text()));
  const server = createServer((request, response) => {
    void before(request).then(() => answer(request, response));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a body that other code has read is reported, and an unread one is read", async () => {
  const parsed = await served(text);
  const refused = await fetch(parsed, { method: "POST", body: "{}" });
  expect([refused.status, await refused.json()]).toEqual([
    500,
    { detail: expect.stringContaining("mount Assay before what parses bodies") },
  ]);
  expect((await fetch(parsed)).status).toBe(200);
  const whole = await served(async () => undefined);
  expect(await (await fetch(whole, { method: "POST", body: "{}" })).text()).toBe("{}");
});
