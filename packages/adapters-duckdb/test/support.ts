// Helpers for tests of the store: fresh directories, and their content.

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "@assay/base";
import type { CallSource } from "@assay/calls";
import { afterAll, afterEach, expect } from "vitest";
import { type OwnStoreOptions, openWithDatabase, type StoreWithDatabase } from "../src/store.ts";

const opened = new Set<StoreWithDatabase>();
const directories: string[] = [];

afterEach(async () => {
  for (const store of opened) await store.close();
  opened.clear();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** An empty directory, removed after the test. */
export function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "assay-store-"));
  directories.push(directory);
  return directory;
}

/** A store that is closed after the test if it is still open. */
export async function openHere(
  directory: string,
  options: Omit<OwnStoreOptions, "directory"> = {},
): Promise<StoreWithDatabase> {
  const store = await openWithDatabase({ directory, ...options });
  opened.add(store);
  return { ...store, close: () => (opened.delete(store) ? store.close() : Promise.resolve()) };
}

/** Returns a function that copies a directory, which is filled once for all tests of a file. */
export function copies(fill: (directory: string) => Promise<unknown>): () => Promise<string> {
  let made: Promise<string> | undefined;
  afterAll(async () => {
    if (made !== undefined) rmSync(await made, { recursive: true, force: true });
    made = undefined;
  });
  const make = async (): Promise<string> => {
    const directory = mkdtempSync(join(tmpdir(), "assay-store-"));
    await fill(directory);
    return directory;
  };
  return async () => {
    made ??= make();
    const directory = freshDirectory();
    cpSync(await made, directory, { recursive: true });
    return directory;
  };
}

const emptyStore = copies(async (directory) => (await openWithDatabase({ directory })).close());

/** An empty store, closed after the test. It is copied, in less than half the time of creating it. */
export async function openFresh(
  options: Omit<OwnStoreOptions, "directory"> = {},
): Promise<StoreWithDatabase> {
  return openHere(await emptyStore(), options);
}

/** The trees of a root as text, sorted: `id: children`. */
export async function treesOf(source: CallSource, project: string, root: string): Promise<string[]> {
  const trees: string[] = [];
  for await (const batch of source.trees(project, root)) {
    for (const { call, children } of batch) {
      trees.push([`${call.id}:`, ...children.map(({ id }) => id).sort()].join(" "));
    }
  }
  return trees.sort();
}

/** The fault that a promise rejects with. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const fault = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(Fault);
  return fault as Fault;
}

/** Pieces of a file, as bytes. */
export async function* bytesOf(...pieces: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}
