// What the tests share: a store to read lines into, and bytes as a file gives them.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "@assay/adapters-duckdb";
import { onTestFinished } from "vitest";
import type { CallScan } from "../../src/index.ts";

/** An empty store, closed and removed after the test. */
export async function freshStore(): Promise<Store> {
  const directory = mkdtempSync(join(tmpdir(), "assay-lines-"));
  const store = await openStore({ directory });
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return store;
}

/** The ids of a project's calls. */
export async function idsOf(calls: CallScan): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const some of calls.scan("acme/demo")) ids.push(...some.map(({ call }) => call.id));
  return ids;
}

/** Bytes as a file gives them. */
export async function* bytesOf(...pieces: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}
