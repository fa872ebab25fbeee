// Overload: the server responds with 429 and Retry-After, and its memory stays bounded.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAssay } from "@assay/testing/server";
import { expect, onTestFinished, test } from "vitest";

const MIB = 2 ** 20;
const REQUESTS = 60;

/** A call of about 4 MiB. */
function bodyOf(i: number): string {
  const start = {
    project_id: "acme/demo",
    id: `call-${i}`,
    trace_id: "t",
    op_name: "op",
    started_at: "2026-01-01T00:00:00Z",
    attributes: {},
    inputs: { text: "x".repeat(4 * MIB) },
  };
  return JSON.stringify({ batch: [{ mode: "start", req: { start } }] });
}

test("240 MiB of calls at once: requests that do not fit get a 429, and succeed later", async () => {
  const directory = mkdtempSync(join(tmpdir(), "assay-backpressure-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const { url, child, stop } = await startAssay(directory);
  onTestFinished(() => stop("SIGKILL"));
  const headers = { "Content-Type": "application/json" };
  const send = (i: number) => fetch(`${url}/call/upsert_batch`, { method: "POST", headers, body: bodyOf(i) });

  let waiting = Array.from({ length: REQUESTS }, (_, i) => i);
  for (let turn = 0; waiting.length > 0; turn++) {
    const answers = await Promise.all(waiting.map(async (i) => ({ i, response: await send(i) })));
    const refused = answers.filter(({ response }) => response.status === 429);
    for (const { response } of answers) expect([200, 429]).toContain(response.status);
    for (const { response } of refused) expect(response.headers.get("retry-after")).toBe("1");
    if (turn === 0) expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(waiting.length);
    waiting = refused.map(({ i }) => i);
  }

  const query = { project_id: "acme/demo" };
  const counted = await fetch(`${url}/calls/query_stats`, {
    method: "POST",
    headers,
    body: JSON.stringify(query),
  });
  expect(await counted.json()).toEqual({ count: REQUESTS });
  if (process.platform === "linux") {
    const peak =
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
    expect(peak).toBeLessThan(1200);
  }
});
