// Each file of a data directory is missing, truncated or older in turn: the directory recovers by itself, or is refused
// with a remedy and no change. No journal ever becomes shorter.

import { randomBytes } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atOnce } from "@assay/base";
import { callOf, changesSince, textOf } from "@assay/calls/testing";
import { createTable, readTableCreate } from "@assay/trace-core/internal";
import { afterAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../src/database/database.ts";
import { FIRST_LOGGED, LIST_TABLES, migrate, SCHEMA } from "../src/database/schema.ts";
import { repairDirectory, type Store } from "../src/index.ts";
import { RECORD_FILES } from "../src/records/record-files.ts";
import { openRecovered } from "../src/recovery/open-recovered.ts";
import { readHead } from "../src/recovery/redo-log.ts";
import { openWithDatabase } from "../src/store.ts";
import { usageRecord } from "./inference/usage-record.ts";
import { olderDirectory } from "./older-directory.ts";
import { faultOf, freshDirectory, openHere, treesOf } from "./support.ts";

const OPEN = { readOnly: false, memory: "128MB", threads: 1 };
const P = "acme/demo";
const OTHER = "acme/other";
const JOURNALS = ["calls.jsonl", "rows.jsonl", "objects.jsonl", "files.bin"];

/** Writes data of every kind that a directory keeps. */
async function fill(store: Store): Promise<void> {
  await store.calls.put(P, [
    textOf(callOf("root", null)),
    textOf(callOf("a", "root")),
    textOf(callOf("b", "root")),
  ]);
  await store.calls.put(OTHER, [textOf(callOf("x", "there"))]);
  await store.calls.put(P, [textOf(callOf("a", "root", { output: "later" }))]);
  await store.calls.delete(P, ["b"], "2026-02-02T00:00:00Z");
  const table = atOnce(readTableCreate({ table: { project_id: P, rows: [{ q: "1+1" }] } }));
  if (!table.ok) throw new Error("the table is invalid");
  await createTable(store.traces.tables, table.value);
  const version = {
    object_id: "o",
    kind: "object",
    base_object_class: null,
    leaf_object_class: null,
  } as const;
  const times = { created_at: "2026-01-01T00:00:00Z", deleted_at: null, wb_user_id: null };
  await store.traces.objects.put({ ...version, ...times, project_id: P, digest: "d0", val: 1 });
  await store.traces.objects.put({ ...version, ...times, project_id: P, digest: "d1", val: 2 });
  await store.traces.objects.remove(P, "o", ["d0"], "2026-02-02T00:00:00Z");
  await store.traces.files.put(P, "f", [Uint8Array.of(0, 10, 255)]);
  const refs = { annotation_ref: null, runnable_ref: null, call_ref: null, trigger_ref: null, creator: null };
  const feedback = { ...refs, project_id: P, feedback_type: "note", payload: {}, wb_user_id: null };
  const about = { weave_ref: "weave:///acme/demo/call/a", created_at: "2026-01-01T00:00:00Z" };
  await store.traces.feedback.put([
    { ...feedback, ...about, id: "kept" },
    { ...feedback, ...about, id: "gone" },
  ]);
  await store.traces.feedback.remove(P, ["gone"]);
  const keys = await store.openKeys();
  await keys.add({ id: "k", hash: "h", name: "n", scopes: [], createdAt: 1 });
  const ledger = await store.openUsage();
  await ledger.record(usageRecord(1));
  await ledger.close();
  const model = { id: "m", entity: "e", project: "p", name: "n", createdAt: 1, version: 1 };
  await store.training.commit({ at: 1, model: model as never });
}

/** All data of the directory. */
async function contentOf(store: Store): Promise<unknown> {
  const table = atOnce(readTableCreate({ table: { project_id: P, rows: [{ q: "1+1" }] } }));
  if (!table.ok) throw new Error("the table is invalid");
  const feedback = [];
  for await (const some of store.traces.feedback.scan(P, undefined)) feedback.push(...some);
  const { objects } = store.traces;
  const heads = await objects.versions(P, undefined);
  const ledger = await store.openUsage();
  const usage = await ledger.report({});
  await ledger.close();
  return {
    versions: [await store.calls.version(P), await store.rows.version(P), await store.calls.version(OTHER)],
    calls: await store.calls.calls(P, ["root", "a", "b"]),
    trees: [await treesOf(store.calls, P, "root"), await treesOf(store.calls, OTHER, "there")],
    changes: await changesSince(store.calls, P, "root", 1),
    rows: await store.traces.tables.rowValues(P, table.value.rowDigests),
    table: await store.traces.tables.table(P, table.value.digest),
    objects: [heads, await objects.values(P, heads)],
    file: await store.traces.files.get(P, "f"),
    feedback,
    keys: await (await store.openKeys()).list(10),
    usage,
    model: await store.training.model("m"),
  };
}

interface Filled {
  readonly directory: string;
  readonly content: unknown;
}

/** A filled, closed directory, and its content. */
const filled = (): Promise<Filled> => copied("closed");

/** A filled directory after `kill -9`: changes without a checkpoint are in the WAL. */
const killed = (): Promise<Filled> => copied("killed");

async function copied(state: "closed" | "killed"): Promise<Filled> {
  templates ??= filledTemplates();
  const { home, content } = await templates;
  const directory = freshDirectory();
  cpSync(join(home, state), directory, { recursive: true });
  return { directory, content };
}

let templates: ReturnType<typeof filledTemplates> | undefined;

/** Fills a directory once for all tests of this file. */
async function filledTemplates() {
  const home = mkdtempSync(join(tmpdir(), "assay-filled-"));
  const directory = join(home, "closed");
  await (await openWithDatabase({ directory })).close();
  const store = await openWithDatabase({ directory });
  await fill(store);
  const content = await contentOf(store);
  cpSync(directory, join(home, "killed"), { recursive: true });
  rmSync(join(home, "killed", "assay.lock"));
  await store.close();
  return { home, content };
}

afterAll(async () => {
  if (templates !== undefined) rmSync((await templates).home, { recursive: true, force: true });
});

const sizesOf = (directory: string) =>
  Object.fromEntries(JOURNALS.map((name) => [name, statSync(join(directory, name)).size]));

async function opened(directory: string) {
  const told: string[] = [];
  const store = await openHere(directory, { tell: (message) => told.push(message) });
  return { store, told };
}

const path = (directory: string, name: string) => join(directory, name);
const half = (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2));

describe("recovers by itself, with all data", () => {
  const damages: readonly [string, (directory: string) => void, RegExp][] = [
    ["the WAL is missing", (d) => rmSync(path(d, "assay.duckdb.wal")), /^$/],
    ["the WAL is truncated", (d) => half(path(d, "assay.duckdb.wal")), /^$/],
    [
      "the database is missing, its WAL is not",
      (d) => rmSync(path(d, "assay.duckdb")),
      /assay\.duckdb was missing/,
    ],
    [
      "the database and its WAL are missing",
      (d) => {
        rmSync(path(d, "assay.duckdb"));
        rmSync(path(d, "assay.duckdb.wal"));
      },
      /assay\.duckdb was missing/,
    ],
    [
      "the database is truncated",
      (d) => half(path(d, "assay.duckdb")),
      /assay\.duckdb cannot be opened \(.*Could not read enough bytes.*: it is rebuilt from redo\.log/,
    ],
    [
      "the database is empty",
      (d) => truncateSync(path(d, "assay.duckdb"), 0),
      /assay\.duckdb cannot be opened \(.*not a valid DuckDB database.*: it is rebuilt from redo\.log/,
    ],
    ["the redo log is missing", (d) => rmSync(path(d, "redo.log")), /redo\.log was missing/],
    ["the redo log is truncated", (d) => half(path(d, "redo.log")), /redo\.log ends before/],
    ["the redo log is empty", (d) => truncateSync(path(d, "redo.log"), 0), /redo\.log does not begin/],
    [
      "the redo log ends with a partial change",
      (d) => writeFileSync(path(d, "redo.log"), Buffer.from("ASAL half"), { flag: "a" }),
      /redo\.log ends in 9 bytes that are not a complete change: they are kept in .*redo\.log\.torn/,
    ],
    ["segments are missing", (d) => rmSync(path(d, "segments"), { recursive: true, force: true }), /^$/],
  ];
  for (const [name, damage, message] of damages) {
    test(name, async () => {
      const { directory, content } = await killed();
      const before = sizesOf(directory);
      damage(directory);
      const { store, told } = await opened(directory);
      expect(await contentOf(store)).toEqual(content);
      expect(told.join("\n")).toMatch(message);
      expect(sizesOf(directory)).toEqual(before);
      await store.calls.put(P, [textOf(callOf("new", "root"))]);
      await store.close();
      // The recovery is complete: opening again reports nothing, and nothing is lost.
      const again = await opened(directory);
      expect(again.told).toEqual([]);
      expect(await treesOf(again.store.calls, P, "root")).toContain("new:");
      await again.store.close();
      rmSync(path(directory, "assay.duckdb"));
      const rebuilt = await opened(directory);
      expect(await treesOf(rebuilt.store.calls, P, "root")).toEqual(["a:", "new:"]);
    });
  }

  test("the database is an older copy", async () => {
    const directory = freshDirectory();
    const first = await openHere(directory);
    await first.calls.put(P, [textOf(callOf("early", "root"))]);
    await first.close();
    const old = join(freshDirectory(), "old.duckdb");
    copyFileSync(path(directory, "assay.duckdb"), old);
    const second = await openHere(directory);
    await fill(second);
    const content = await contentOf(second);
    await second.close();
    copyFileSync(old, path(directory, "assay.duckdb"));
    const { store } = await opened(directory);
    expect(await contentOf(store)).toEqual(content);
  });

  test.each(["no log", "the log before"])(
    "after a kill with a new log written and %s in the database, there is nothing to recover",
    async (known) => {
      const directory = freshDirectory();
      await (await openHere(directory)).close();
      const file = path(directory, "assay.duckdb");
      const before = join(freshDirectory(), "before.duckdb");
      if (known === "no log") {
        const database = await openDatabase(file, OPEN);
        await database.write((transaction) =>
          transaction.run("UPDATE log_position SET log = ?, done_to = ?, began = ?", ["", 0, 0]),
        );
        await database.close();
      } else {
        copyFileSync(file, before);
        rmSync(path(directory, "redo.log"));
        await (await openHere(directory, { tell: () => {} })).close();
        copyFileSync(before, file);
      }
      const { store, told } = await opened(directory);
      await fill(store);
      const content = await contentOf(store);
      await store.close();
      const again = await opened(directory);
      expect(await contentOf(again.store)).toEqual(content);
      expect([...told, ...again.told]).toEqual([]);
      expect(readdirSync(directory).filter((name) => name.includes("set-aside"))).toEqual([]);
    },
  );

  test("data left by a killed writer after the last record stays, and later records can be read", async () => {
    const { directory, content } = await filled();
    const torn = '{"id": "half';
    for (const name of JOURNALS) writeFileSync(path(directory, name), torn, { flag: "a" });
    const before = readFileSync(path(directory, "calls.jsonl"), "utf8");
    const { store } = await opened(directory);
    expect(await contentOf(store)).toEqual(content);
    await store.calls.put(P, [textOf(callOf("new", "root"))]);
    expect(await treesOf(store.calls, P, "root")).toEqual(["a:", "new:"]);
    const after = readFileSync(path(directory, "calls.jsonl"), "utf8");
    expect(after.startsWith(`${before}\n{`)).toBe(true);
  });
});

describe("is refused with a remedy, and nothing changes", () => {
  const refused: readonly [string, (directory: string) => void, RegExp][] = [
    ...JOURNALS.map((name): [string, (directory: string) => void, RegExp] => [
      `${name} is cut`,
      (d) => half(path(d, name)),
      new RegExp(`${name} ends at byte \\d+, before its last record's end at \\d+: put it back, or .*doctor`),
    ]),
    ...JOURNALS.map((name): [string, (directory: string) => void, RegExp] => [
      `${name} is missing`,
      (d) => rmSync(path(d, name)),
      new RegExp(`${name} ends at byte 0`),
    ]),
    [
      "the database and the redo log are missing",
      (d) => {
        rmSync(path(d, "assay.duckdb"));
        rmSync(path(d, "redo.log"));
      },
      /calls\.jsonl \(\d+ bytes\).* but neither assay\.duckdb nor redo\.log.*put one of these back, or import/,
    ],
    [
      "the database is truncated, and the redo log has lost its head",
      (d) => {
        half(path(d, "assay.duckdb"));
        flip(path(d, "redo.log"), 0);
      },
      /assay\.duckdb cannot be opened \(.*Could not read enough bytes.*redo\.log is damaged too: run assay doctor/,
    ],
  ];
  for (const [name, damage, message] of refused) {
    test(name, async () => {
      const { directory } = await filled();
      damage(directory);
      const before = contentsOf(directory);
      const fault = await faultOf(openHere(directory));
      expect(fault.code).toBe("corrupt");
      expect(fault.message).toMatch(message);
      expect(contentsOf(directory)).toEqual(before);
    });
  }

  test("damage in the middle of changes that the database lacks", async () => {
    const { directory } = await killed();
    rmSync(path(directory, "assay.duckdb.wal"));
    flip(path(directory, "redo.log"), 0.6);
    expect((await faultOf(openHere(directory))).message).toMatch(
      /bytes \d+ to \d+ of .*redo\.log are damaged/,
    );
  });

  test("a database and a redo log of two directories", async () => {
    const { directory } = await filled();
    const other = freshDirectory();
    await (await openHere(other)).close();
    copyFileSync(path(other, "redo.log"), path(directory, "redo.log"));
    expect((await faultOf(openHere(directory))).message).toMatch(/belong to different stores/);
  });

  test("reading only changes nothing, even if the database lacks changes", async () => {
    const { directory } = await killed();
    rmSync(path(directory, "assay.duckdb.wal"));
    const before = contentsOf(directory);
    const fault = await faultOf(openHere(directory, { readOnly: true }));
    expect([fault.code, fault.message]).toEqual([
      "conflict",
      expect.stringMatching(/open it for writing once/),
    ]);
    expect(contentsOf(directory)).toEqual(before);
    rmSync(path(directory, "assay.duckdb"));
    expect((await faultOf(openHere(directory, { readOnly: true }))).code).toBe("missing");
    expect(sizesOf(directory)).toMatchObject({ "calls.jsonl": expect.any(Number) });
  });
});

test("reading only is refused when the log after the database's own has more changes", async () => {
  const directory = freshDirectory();
  await (await openHere(directory)).close();
  const before = join(freshDirectory(), "before.duckdb");
  copyFileSync(path(directory, "assay.duckdb"), before);
  rmSync(path(directory, "redo.log"));
  const { store } = await opened(directory);
  await store.calls.put(P, [textOf(callOf("a", "root"))]);
  await store.close();
  copyFileSync(before, path(directory, "assay.duckdb"));
  const fault = await faultOf(openHere(directory, { readOnly: true }));
  expect([fault.code, fault.message]).toEqual(["conflict", expect.stringMatching(/lacks changes/)]);
});

describe("is repaired on request", () => {
  test("a truncated or empty database, or one with a flipped bit anywhere, is rebuilt", async () => {
    const { directory, content } = await filled();
    const whole = readFileSync(path(directory, "assay.duckdb"));
    const copies: Buffer[] = [Buffer.alloc(0), whole.subarray(0, whole.length >> 1)];
    for (let i = 0; i < 6; i++) {
      const flipped = Buffer.from(whole);
      flipped[Math.floor((whole.length * (i + 0.5)) / 6)]! ^= 1;
      copies.push(flipped);
    }
    for (const damaged of copies) {
      writeFileSync(path(directory, "assay.duckdb"), damaged);
      const report = await repairDirectory(directory);
      expect(report.lost).toEqual([]);
      const { store } = await opened(directory);
      expect(await contentOf(store)).toEqual(content);
      await store.close();
    }
  });

  test("a damaged redo log is rewritten from an intact database", async () => {
    const { directory, content } = await filled();
    flip(path(directory, "redo.log"), 0.6);
    const report = await repairDirectory(directory);
    expect(report.found.join("\n")).toMatch(/redo\.log is damaged: it is rewritten from the database/);
    rmSync(path(directory, "assay.duckdb"));
    const { store } = await opened(directory);
    expect(await contentOf(store)).toEqual(content);
  });

  test("without the database, a damaged part of the redo log is lost and reported, and the rest is restored", async () => {
    const { directory } = await filled();
    rmSync(path(directory, "assay.duckdb"));
    flip(path(directory, "redo.log"), 0.95);
    const report = await repairDirectory(directory);
    expect(report.lost.join("\n")).toMatch(/bytes \d+ to \d+ of .*redo\.log are damaged: .* are lost/);
    const { store } = await opened(directory);
    expect(await treesOf(store.calls, P, "root")).toEqual(["a:"]);
  });

  test("records that their journal lost are removed from the index and counted, and others can be read", async () => {
    const { directory } = await filled();
    truncateSync(path(directory, "calls.jsonl"), statSync(path(directory, "calls.jsonl")).size - 10);
    const report = await repairDirectory(directory);
    expect(report.lost).toEqual([expect.stringMatching(/calls\.jsonl ends at byte \d+: 1 records of calls/)]);
    const { store } = await opened(directory);
    expect(await treesOf(store.calls, OTHER, "there")).toEqual(["x:"]);
    expect(await treesOf(store.calls, P, "root")).toEqual([]);
  });

  test("a damaged record is counted, with its position", async () => {
    const { directory } = await filled();
    const file = path(directory, "calls.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replace('"there"', '"where"'));
    expect((await repairDirectory(directory)).lost).toEqual([
      expect.stringMatching(/calls\.jsonl: 1 records of calls are damaged, the first at byte \d+/),
    ]);
  });
});

describe("a process killed while it creates the database of a new directory", () => {
  const HEADER = 4096;
  const sizes = [0, HEADER - 1, HEADER, 3 * HEADER - 1];

  /** A newly created database file, truncated to `size`. */
  async function created(size: number): Promise<string> {
    const directory = freshDirectory();
    const file = path(directory, "assay.duckdb");
    await (await openDatabase(file, OPEN)).close();
    expect(statSync(file).size).toBe(3 * HEADER);
    truncateSync(file, size);
    return directory;
  }

  test("leaves a file that is replaced silently, wherever it ends", async () => {
    for (const size of sizes) {
      const directory = await created(size);
      const { store, told } = await opened(directory);
      await store.calls.put(P, [textOf(callOf("a", "root"))]);
      await store.close();
      const again = await opened(directory);
      expect(await treesOf(again.store.calls, P, "root")).toEqual(["a:"]);
      expect([...told, ...again.told]).toEqual([]);
      expect(readdirSync(directory).filter((name) => name.includes("set-aside"))).toEqual([]);
      await again.store.close();
    }
  });

  test("leaves an empty file after a power cut, which is replaced too", async () => {
    const directory = await created(0);
    truncateSync(path(directory, "assay.duckdb"), 3 * HEADER);
    expect((await opened(directory)).told).toEqual([]);
  });

  test("leaves a file that only one of several processes replaces", async () => {
    const directory = await created(HEADER);
    const claim = (pid: number) => path(directory, `assay.duckdb.claim-${pid}`);
    writeFileSync(claim(process.ppid), "");
    const before = contentsOf(directory);
    expect((await faultOf(openHere(directory))).code).toBe("conflict");
    expect(contentsOf(directory)).toEqual(before);
    rmSync(claim(process.ppid));
    // No process has this id, because Linux ids end at 2^22.
    writeFileSync(claim(2 ** 22 + 1), "");
    // Linux distinguishes this process from an earlier one with the same id.
    if (process.platform === "linux") writeFileSync(claim(process.ppid), "another boot/1");
    await opened(directory);
    expect(readdirSync(directory).filter((name) => name.includes("claim"))).toEqual([]);
  });

  test.each([...RECORD_FILES.map(({ name }) => name), "assay.duckdb.wal", "redo.log"])(
    "such a file beside %s is not replaced",
    async (name) => {
      for (const size of sizes) {
        const directory = await created(size);
        writeFileSync(path(directory, name), "something");
        const before = contentsOf(directory);
        const fault = await faultOf(openHere(directory));
        expect([fault.code, fault.message]).toEqual([
          "corrupt",
          expect.stringMatching(
            /assay\.duckdb cannot be opened .*, and redo\.log is (missing|damaged too): run/,
          ),
        ]);
        expect(contentsOf(directory)).toEqual(before);
      }
    },
  );
});

describe("a directory of an older version, after this version was killed while opening it", () => {
  // The oldest is migrated by every step there is.
  const older = [FIRST_LOGGED, SCHEMA - 1];

  /** Fills the directory, and opens it again without its database. Returns the messages of the first opening. */
  async function filledAndRebuilt(directory: string): Promise<readonly string[]> {
    const { store, told } = await opened(directory);
    await fill(store);
    const content = await contentOf(store);
    await store.close();
    rmSync(path(directory, "assay.duckdb"));
    const rebuilt = await opened(directory);
    expect(await contentOf(rebuilt.store)).toEqual(content);
    await rebuilt.store.close();
    return told;
  }

  test.each(older)("with its tables of version %i migrated", async (schema) => {
    const directory = await olderDirectory(schema);
    const database = await openDatabase(path(directory, "assay.duckdb"), OPEN);
    await migrate(database, schema);
    await database.close();
    expect(await filledAndRebuilt(directory)).toEqual([]);
    expect(readHead(path(directory, "redo.log")).schema).toBe(SCHEMA);
  });

  test.each(older)("with its log rewritten, and its tables of version %i restored", async (schema) => {
    const directory = await olderDirectory(schema);
    const old = join(freshDirectory(), "old.duckdb");
    copyFileSync(path(directory, "assay.duckdb"), old);
    const { store } = await opened(directory);
    const keys = await store.openKeys();
    await keys.add({ id: "early", hash: "early", name: "n", scopes: [], createdAt: 1 });
    await store.close();
    copyFileSync(old, path(directory, "assay.duckdb"));
    const told = await filledAndRebuilt(directory);
    expect(told.join("\n")).toMatch(/assay\.duckdb was older than redo\.log: it is rebuilt from the log/);
  });
});

describe("a directory of a version without a redo log", () => {
  test("keeps everything, and gets one that can rebuild the database", async () => {
    const { directory, content } = await filled();
    await downgradeToNoLog(directory);
    const store = await openHere(directory);
    expect(await contentOf(store)).toEqual(content);
    await store.close();
    rmSync(path(directory, "assay.duckdb"));
    const rebuilt = await openHere(directory);
    expect(await contentOf(rebuilt)).toEqual(content);
  });

  test("is refused if its database is missing, and nothing changes", async () => {
    const { directory } = await filled();
    await downgradeToNoLog(directory);
    rmSync(path(directory, "assay.duckdb"));
    const before = contentsOf(directory);
    expect((await faultOf(openHere(directory))).code).toBe("corrupt");
    expect(contentsOf(directory)).toEqual(before);
  });
});

describe("a long redo log", () => {
  const SHORT = 16 * 1024;
  const open = (directory: string) =>
    openRecovered({
      directory,
      readOnly: false,
      memory: "128MB",
      tell: () => {},
      repair: false,
      committed: () => {},
      longLog: SHORT,
    });
  const size = (directory: string) => statSync(path(directory, "redo.log")).size;

  /** Writes to one row of a table until the log grows by about `bytes`. */
  async function write(database: Database, bytes: number): Promise<void> {
    for (let written = 0; written < bytes; written += 1000) {
      const body = JSON.stringify(randomBytes(500).toString("hex"));
      await database.write((transaction) =>
        transaction.run(
          "UPDATE training_models SET version = ?, deleted = ?, busy = ?, body = ? WHERE id = ?",
          [1, false, false, body, "m"],
        ),
      );
    }
  }

  const bodyIn = async (database: Database) =>
    (await database.columns("SELECT body FROM training_models WHERE id = 'm'"))[0]![0];

  test("is rewritten from the tables, and restores any older copy of the database", async () => {
    const { directory, content } = await filled();
    const old = join(freshDirectory(), "old.duckdb");
    copyFileSync(path(directory, "assay.duckdb"), old);
    const { database } = await open(directory);
    const began = size(directory);
    let longest = 0;
    const heads = new Set<string>();
    for (let i = 0; i < 20; i++) {
      await write(database, SHORT / 2);
      longest = Math.max(longest, size(directory));
      heads.add(readHead(path(directory, "redo.log")).log);
    }
    expect(heads.size).toBeGreaterThan(1);
    // A log starts with the state, and a rewrite may add the state and one more text.
    expect(longest).toBeLessThan(2 * SHORT + 8 * (began + 2000));
    const body = await bodyIn(database);
    await database.close();

    for (const damage of [
      () => {},
      () => rmSync(path(directory, "assay.duckdb")),
      () => copyFileSync(old, path(directory, "assay.duckdb")),
    ]) {
      damage();
      const again = await open(directory);
      expect(await bodyIn(again.database)).toBe(body);
      await again.database.close();
    }
    const store = await openHere(directory);
    const { model: _, ...rest } = content as { model: unknown };
    expect(await contentOf(store)).toMatchObject(rest);
  });

  test("stays unchanged if it cannot be rewritten", async () => {
    const { directory } = await filled();
    const { database } = await open(directory);
    const { log } = readHead(path(directory, "redo.log"));
    // A non-empty folder blocks the path of the new log.
    mkdirSync(path(directory, "redo.log.new/kept"), { recursive: true });
    await write(database, 8 * SHORT);
    expect(readHead(path(directory, "redo.log")).log).toBe(log);
    const body = await bodyIn(database);
    await database.close();
    rmSync(path(directory, "assay.duckdb"));
    const again = await open(directory);
    expect(await bodyIn(again.database)).toBe(body);
    await again.database.close();
  });
});

test.skipIf(process.platform === "win32")("others may read nothing, including existing files", async () => {
  const { directory } = await filled();
  chmodSync(directory, 0o755);
  for (const name of readdirSync(directory)) chmodSync(path(directory, name), 0o644);
  const { store } = await opened(directory);
  await store.calls.put(P, [textOf(callOf("new", "root"))]);
  await store.segments.save(
    P,
    "e",
    (async function* () {
      yield Uint8Array.of(1);
    })(),
  );
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  expect(existsSync(path(directory, "assay.duckdb.wal"))).toBe(true);
  for (const entry of entries) {
    const { mode } = statSync(join(entry.parentPath, entry.name));
    expect([entry.name, (mode & 0o777).toString(8)]).toEqual([entry.name, entry.isFile() ? "600" : "700"]);
  }
  expect((statSync(directory).mode & 0o777).toString(8)).toBe("700");
});

/**
 * Puts a closed directory into the state of the last version without a redo log: schema 5, no log, no table with the
 * log's position, and files that others may read.
 */
async function downgradeToNoLog(directory: string): Promise<void> {
  const file = path(directory, "assay.duckdb");
  const database = await openDatabase(file, OPEN);
  await database.write(async (transaction) => {
    for (const table of ["log_position", ...LIST_TABLES, "costs", "score_directions"])
      await transaction.run(`DROP TABLE ${table}`);
    const [tables] = await transaction.columns(
      "SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'tracking%' OR table_name = 'training_files'",
    );
    for (const table of tables!) await transaction.run(`DROP TABLE ${table}`);
    await transaction.run("UPDATE schema_version SET version = 5");
  });
  await database.close();
  rmSync(path(directory, "redo.log"));
  for (const name of readdirSync(directory)) chmodSync(path(directory, name), 0o644);
}

function contentsOf(directory: string): unknown {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [name, readFileSync(path(directory, name)).toString("base64")]);
}

/** Flips one bit, at the fraction `part` of a file. */
function flip(file: string, part: number): void {
  const bytes = readFileSync(file);
  bytes[Math.floor(bytes.length * part)]! ^= 1;
  writeFileSync(file, bytes);
}
