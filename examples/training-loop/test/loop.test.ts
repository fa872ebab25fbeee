// Runs a short form of the example against a server of the command: each stage improves on the one before.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { runLoop } from "../loop.ts";
import { startServer } from "../server.ts";

/** Starts a server on an empty data directory, until the test ends. */
async function served(): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), "assay-loop-"));
  const command = fileURLToPath(new URL("../../../packages/cli/bundle/assay.js", import.meta.url));
  const { url, stop } = await startServer([command], data);
  onTestFinished(async () => {
    await stop();
    rmSync(data, { recursive: true, force: true });
  });
  return url;
}

test("each training stage over HTTP improves the model, according to the evaluation query", async () => {
  const lines: string[] = [];
  const { correct } = await runLoop({ url: await served(), rounds: 4, say: (line) => lines.push(line) });
  // All seeds are fixed, so the result is always about 0, 0.66 and 0.8.
  expect(correct.base).toBe(0);
  expect(correct.sft).toBeGreaterThan(0.5);
  expect(correct.rl).toBeGreaterThan(correct.sft + 0.05);
  expect(lines).toHaveLength(6);
});
