// `GET /v1/health` reports that the process answers, for whatever restarts it. `GET /v1/health/ready` reports that its
// store answers, for a load balancer.

import { Fault } from "@assay/base";
import { expect, test } from "vitest";
import { createHandler } from "../src/index.ts";

const ask = (handler: ReturnType<typeof createHandler>, path: string) =>
  handler(new Request(`http://127.0.0.1${path}`));

test("a server whose store answers is ready", async () => {
  for (const handler of [createHandler({ routes: [] }), createHandler({ routes: [], ready: async () => {} })])
    expect(await (await ask(handler, "/v1/health/ready")).json()).toEqual({ status: "ok" });
});

test("a server whose store has failed is alive but not ready, and ready again when the store is", async () => {
  const errors: unknown[] = [];
  let broken = true;
  const handler = createHandler({
    routes: [],
    ready: async () => {
      if (broken) throw new Fault("unavailable", "the embedded database failed");
    },
    onError: (error) => errors.push(error),
  });
  const refused = await ask(handler, "/v1/health/ready");
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ detail: "the embedded database failed" });
  expect(errors).toHaveLength(1);
  expect((await ask(handler, "/v1/health")).status).toBe(200);
  broken = false;
  expect((await ask(handler, "/v1/health/ready")).status).toBe(200);
});
