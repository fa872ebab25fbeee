// The example in a shorter form, against a server of the command: each stage is better than the one before it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { runLoop } from "../loop.ts";
import { startServer } from "../server.ts";

/** Serves an empty data directory, from source, until the test ends. */
async function served(): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), "assay-loop-"));
  const command = fileURLToPath(new URL("../../../packages/cli/src/assay.ts", import.meta.url));
  const { url, stop } = await startServer(["--conditions=@assay/source", "--import", "tsx", command], data);
  onTestFinished(async () => {
    await stop();
    rmSync(data, { recursive: true, force: true });
  });
  return url;
}

test("a model is created, fine-tuned and reinforced over HTTP, and the query shows that it got better", async () => {
  const lines: string[] = [];
  const { correct } = await runLoop({ url: await served(), rounds: 4, say: (line) => lines.push(line) });
  // Seeds are given everywhere, so this comes out the same each time: 0, 0.66 and 0.8 or so.
  expect(correct.base).toBe(0);
  expect(correct.sft).toBeGreaterThan(0.5);
  expect(correct.rl).toBeGreaterThan(correct.sft + 0.05);
  expect(lines).toHaveLength(6);
});
