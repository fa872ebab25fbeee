// The end of a server that has others beside it: first it says that it is not ready, and still answers; then it ends.

import { expect, test, vi } from "vitest";
import { builtServer, raw } from "./built-server.ts";

test("told to stop, it is not ready at once, answers while it drains, and ends then", async () => {
  const server = await builtServer(["--drain", "3"]);
  expect((await raw(server, "/v1/health/ready")).status).toBe(200);
  const ended = server.stop("SIGTERM");
  await vi.waitFor(async () => {
    const ready = await raw(server, "/v1/health/ready");
    expect([ready.status, ready.body]).toEqual([503, expect.stringContaining("about to end")]);
  });
  expect((await raw(server, "/v1/health")).status).toBe(200);
  expect((await raw(server, "/v1/models")).status).toBe(200);
  await ended;
  await expect(raw(server, "/v1/health")).rejects.toThrow();
});
