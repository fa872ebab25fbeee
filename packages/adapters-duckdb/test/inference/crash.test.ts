// Kills a process that records usage and creates keys: everything acknowledged is present.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { bundled } from "@assay/testing/bundled";
import { rounds } from "@assay/testing/cases";
import { expect, test } from "vitest";
import { openKeyStore } from "../../src/inference/keys.ts";
import { openUsageLedger } from "../../src/inference/usage.ts";
import { freshDirectory, openHere } from "../support.ts";

const script = fileURLToPath(new URL("./crash-recorder.ts", import.meta.url));

/** Runs the recorder, kills it after `lines` lines, and returns all its lines. */
async function recorded(directory: string, first: number, lines: number): Promise<readonly string[]> {
  const args = [await bundled(script), directory, String(first)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const told: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line);
    if (told.length === lines) child.kill("SIGKILL");
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return told;
}

test("after kill -9, every acknowledged record and key is present, each record once", async () => {
  const directory = freshDirectory();
  const kills = rounds(5, 2);
  let kept = 0;
  const ids = new Set<string>();
  for (let round = 1; round <= kills; round++) {
    const told = await recorded(directory, kept, 7 * round);
    for (const line of told) {
      const [what, value = ""] = line.split(" ");
      if (what === "key") ids.add(value);
      else kept = Number(value);
    }
    const store = await openHere(directory);
    const ledger = await openUsageLedger(store.database, directory);
    const [sum] = await ledger.report({});
    // A group that was being written may be present too, although it was not acknowledged.
    expect(sum?.requests).toBeGreaterThanOrEqual(kept);
    expect(sum?.requests).toBeLessThanOrEqual(kept + 50);
    expect(sum?.promptTokens).toBe(10 * (sum?.requests ?? 0));
    const keys = await openKeyStore(store.database);
    const found = new Set((await keys.list(100_000)).map(({ id }) => id));
    expect([...ids].filter((id) => !found.has(id))).toEqual([]);
    await ledger.close();
    await store.close();
  }
});
