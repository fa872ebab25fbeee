// Acknowledged data is on disk: every written file has been synced since.

import { fstatSync, readlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { callOf, textOf } from "@assay/calls/testing";
import { afterEach, expect, test } from "vitest";
import { fileArtifacts } from "../src/training/artifacts.ts";
import { freshDirectory, openHere } from "./support.ts";

type Method = (this: FileHandle, ...given: never[]) => Promise<unknown>;

const restores: (() => void)[] = [];
afterEach(() => {
  for (const restore of restores.splice(0)) restore();
});

/** Watches the files below a directory; returns those that were written, and those of them not yet synced. */
async function written(directory: string) {
  const all = new Set<number>();
  const unsynced = new Set<number>();
  const handle = await open(process.execPath);
  const prototype = Object.getPrototypeOf(handle) as Record<string, Method>;
  await handle.close();
  for (const name of ["write", "writev", "writeFile", "appendFile", "sync", "datasync"]) {
    const real = prototype[name]!;
    restores.push(() => {
      prototype[name] = real;
    });
    prototype[name] = async function (...given) {
      const { fd } = this;
      const isHere = readlinkSync(`/proc/self/fd/${fd}`).startsWith(directory);
      const { ino } = fstatSync(fd);
      const done = await real.apply(this, given);
      if (!isHere) return done;
      if (name.endsWith("sync")) unsynced.delete(ino);
      else for (const some of [all, unsynced]) some.add(ino);
      return done;
    };
  }
  return { all, unsynced };
}

test("calls are synced when they are acknowledged", async () => {
  const directory = freshDirectory();
  const store = await openHere(directory);
  const files = await written(directory);
  await store.calls.put("acme/demo", [textOf(callOf("e", null))]);
  expect([files.all.size > 0, files.unsynced.size]).toEqual([true, 0]);
});

test("an artifact is synced when it is acknowledged", async () => {
  const directory = freshDirectory();
  const files = await written(directory);
  await fileArtifacts(directory).write([Buffer.from("abc")]);
  expect([files.all.size > 0, files.unsynced.size]).toEqual([true, 0]);
});
