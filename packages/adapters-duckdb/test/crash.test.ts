// Processes that hold the directory, and that are killed while they write to it.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Fault } from "@assay/base";
import { bundled } from "@assay/testing/bundled";
import { rounds } from "@assay/testing/cases";
import { afterEach, expect, test } from "vitest";
import { lockHolder } from "../src/index.ts";
import { freshDirectory, openHere, treesOf } from "./support.ts";

const P = "acme/demo";
const BATCH = 300;
const children = new Set<ChildProcess>();

afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});

interface Writer {
  readonly process: ChildProcess;
  /** Its next line, or undefined once it has ended. */
  line(): Promise<string | undefined>;
  kill(): Promise<void>;
}

async function writer(directory: string, batchSize: number): Promise<Writer> {
  const script = await bundled(fileURLToPath(new URL("./crash-writer.ts", import.meta.url)));
  const child = spawn(process.execPath, ["--expose-gc", script, directory, `${batchSize}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    process: child,
    line: async () => (await lines.next()).value as string | undefined,
    async kill() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      children.delete(child);
    },
  };
}

test("a directory that another process has open is refused, with that process's id and address", async () => {
  const directory = freshDirectory();
  const other = await writer(directory, 0);
  expect(await other.line()).toBe("open");
  const fault = await openHere(directory).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(Fault);
  expect((fault as Fault).code).toBe("conflict");
  expect((fault as Fault).message).toBe(
    `the data directory is open in process ${other.process.pid}, which serves it at http://127.0.0.1:7777; stop it first, or use another directory`,
  );
  expect(lockHolder(directory)).toEqual({ pid: other.process.pid, address: "http://127.0.0.1:7777" });

  await other.kill();
  expect(lockHolder(directory)).toBeUndefined();
  const store = await openHere(directory);
  expect(lockHolder(directory)).toEqual({ pid: process.pid });
  await store.close();
});

test("after kill -9 while writing, everything acknowledged is present, in whole batches, and writing continues", async () => {
  const directory = freshDirectory();
  const kills = rounds(4, 2);
  for (let round = 0; round < kills; round++) {
    const other = await writer(directory, BATCH);
    expect(await other.line()).toBe("open");
    let acknowledged = -1;
    // Kills later each round, in the middle of a batch: the writer never waits between two.
    for (let lines = 0; lines <= round; lines++) acknowledged = Number(await other.line());
    await other.kill();
    for (let line = await other.line(); line !== undefined; line = await other.line())
      acknowledged = Number(line);

    const store = await openHere(directory);
    // A batch's number is the version before it.
    const version = await store.calls.version(P);
    expect(version).toBeGreaterThan(acknowledged);
    for (let batch = 0; batch < version; batch++) {
      expect(await treesOf(store.calls, P, `batch ${batch}`)).toHaveLength(BATCH);
    }
    await store.close();
  }
});
