// The states that a kill can leave: a copy of the directory before each change that this process makes to its files
// while it opens, migrates, rewrites, repairs or deletes. In each state the operation is complete or undone, and the
// database can be rebuilt from its log. (DuckDB writes in native code, so its files do not change between two of our
// steps.)

import { createHash, randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  default as fs,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { open, default as promises } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { callOf, textOf } from "@assay/calls/testing";
import { expect, test } from "vitest";
import { FIRST_LOGGED, SCHEMA } from "../src/database/schema.ts";
import { deleteRecords, repairDirectory } from "../src/index.ts";
import { openRecovered } from "../src/recovery/open-recovered.ts";
import type { StoreWithDatabase } from "../src/store.ts";
import { projectKey } from "../src/tracking/project-key.ts";
import { olderDirectory } from "./older-directory.ts";
import { bytesOf, copies, freshDirectory, openHere } from "./support.ts";

const P = "acme/demo";
const OTHER = "acme/other";
const SECRET = "of the project that is deleted";

type Functions = Record<string, (...given: never[]) => unknown>;

/** Copies the directory before each step of `act` and after it, except where it is unchanged. */
async function killedStates(directory: string, act: () => Promise<unknown>): Promise<readonly string[]> {
  const states: string[] = [];
  let last = "";
  let isCopying = false;
  const copy = (): void => {
    if (isCopying) return;
    isCopying = true;
    const digest = digestOf(directory);
    if (digest !== last) {
      const to = freshDirectory();
      cpSync(directory, to, { recursive: true });
      rmSync(join(to, "assay.lock"), { force: true });
      states.push(to);
    }
    last = digest;
    isCopying = false;
  };
  const restore: (() => void)[] = [];
  const watch = (functions: Functions, names: readonly string[]): void => {
    for (const name of names) {
      const real = functions[name]!;
      functions[name] = function (this: unknown, ...given) {
        copy();
        return real.apply(this, given);
      };
      restore.push(() => {
        functions[name] = real;
      });
    }
  };
  const handle = await open(process.execPath);
  watch(Object.getPrototypeOf(handle) as Functions, ["write", "writev", "writeFile", "appendFile"]);
  await handle.close();
  const sync = ["openSync", "writeFileSync", "appendFileSync", "ftruncateSync", "renameSync", "rmSync"];
  watch(fs as unknown as Functions, sync);
  watch(promises as unknown as Functions, ["open", "appendFile", "rename", "rm"]);
  syncBuiltinESMExports();
  try {
    await act();
    copy();
  } finally {
    for (const one of restore) one();
    syncBuiltinESMExports();
  }
  return states;
}

function digestOf(directory: string): string {
  const digest = createHash("sha256");
  for (const path of filesIn(directory))
    digest.update(path.slice(directory.length)).update(readFileSync(path));
  return digest.digest("hex");
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** A directory with calls in two projects, a key, and a file of a run. */
const filled = copies(async (directory) => {
  const store = await openHere(directory);
  await store.calls.put(P, [textOf(callOf("a", "root", { output: SECRET }))]);
  await store.calls.put(OTHER, [textOf(callOf("x", "root"))]);
  await addKey(store, "first");
  const { sha256 } = await store.artifacts.write(bytesOf(SECRET));
  const project = projectKey({ entity: "acme", project: "demo" });
  await store.database.write(async (transaction) => {
    await transaction.run("INSERT INTO tracking_runs VALUES (?, ?, ?, ?, ?, ?)", [
      "r",
      project,
      "r",
      1,
      1,
      "{}",
    ]);
    await transaction.run("INSERT INTO tracking_files VALUES (?, ?, ?, ?)", ["r", "f", sha256, "{}"]);
  });
  await store.close();
});

async function addKey(store: StoreWithDatabase, id: string): Promise<void> {
  await (await store.openKeys()).add({ id, hash: id, name: id, scopes: [], createdAt: 1 });
}

async function contentOf(store: StoreWithDatabase) {
  return {
    calls: [await store.calls.calls(P, ["a"]), await store.calls.calls(OTHER, ["x"])],
    keys: (await (await store.openKeys()).list(10)).map(({ id }) => id).sort(),
    files: (await store.database.columns("SELECT sha256 FROM tracking_files"))[0],
  };
}

async function contentIn(directory: string) {
  const store = await openHere(directory);
  const content = await contentOf(store);
  await store.close();
  return content;
}

const opened = async (directory: string) => (await openHere(directory)).close();
const withoutDatabase = (directory: string): void => {
  for (const end of ["", ".wal"]) rmSync(join(directory, `assay.duckdb${end}`), { force: true });
};
const damaged =
  (damage: (directory: string) => void): (() => Promise<string>) =>
  async () => {
    const directory = await filled();
    damage(directory);
    return directory;
  };

/** Writes one change longer than the rest of the log, which causes a rewrite. */
async function rewrite(directory: string): Promise<void> {
  const recovery = { readOnly: false, memory: "128MB", repair: false, longLog: 1 };
  const { database } = await openRecovered({ directory, ...recovery, tell() {}, committed() {} });
  await database.write((transaction) =>
    transaction.run("INSERT INTO training_replies VALUES (?, ?, ?)", [
      "k",
      1,
      randomBytes(65536).toString("hex"),
    ]),
  );
  await database.close();
}

test.each<[string, () => Promise<string>, (directory: string) => Promise<unknown>]>([
  ["creates a directory", async () => freshDirectory(), opened],
  ["opens a directory", filled, opened],
  ["rebuilds a missing database", damaged(withoutDatabase), opened],
  ["rebuilds a truncated database", damaged((d) => truncateSync(join(d, "assay.duckdb"), 100_000)), opened],
  ["rebuilds a marked database", damaged((d) => writeFileSync(join(d, "assay.duckdb.damaged"), "")), opened],
  ["rewrites a missing log", damaged((d) => rmSync(join(d, "redo.log"))), opened],
  ["rewrites a long log", filled, rewrite],
  ...[FIRST_LOGGED, SCHEMA - 1].map((schema): [string, () => Promise<string>, typeof opened] => [
    `migrates tables of version ${schema}`,
    () => olderDirectory(schema),
    opened,
  ]),
  [
    "rebuilds tables of an older version",
    async () => {
      const directory = await olderDirectory(8);
      withoutDatabase(directory);
      return directory;
    },
    opened,
  ],
  [
    "repairs a truncated database",
    damaged((d) => truncateSync(join(d, "assay.duckdb"), 100_000)),
    repairDirectory,
  ],
  ["deletes a project", filled, (directory) => deleteRecords(directory, { project: P })],
])("a process killed at any step while it %s leaves a complete directory", async (_, made, act) => {
  const directory = await made();
  const states = await killedStates(directory, () => act(directory));
  expect(states.length).toBeGreaterThan(1);
  const before = await contentIn(states[0]!);
  const after = await contentIn(states.at(-1)!);
  // What several states leave without their database is the same: it is rebuilt once.
  const rebuilt = new Map<string, unknown>();
  for (const state of states) {
    const store = await openHere(state);
    const content = await contentOf(store);
    expect([before, after]).toContainEqual(content);
    await addKey(store, "later");
    await store.close();
    expect(readdirSync(state).filter((name) => /compact|\.new$/.test(name))).toEqual([]);
    if (content.files?.length === 0)
      expect(filesIn(state).filter((path) => readFileSync(path).includes(SECRET))).toEqual([]);
    withoutDatabase(state);
    if (existsSync(join(state, "redo.log"))) {
      const left = digestOf(state);
      if (!rebuilt.has(left)) rebuilt.set(left, await contentIn(state));
      expect(rebuilt.get(left)).toEqual({ ...content, keys: [...content.keys, "later"] });
    }
  }
});
