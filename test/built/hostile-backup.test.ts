// `assay restore` of forged backups: each is refused with an error message, and nothing outside is read or written.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { assay } from "@assay/testing/command";
import { afterAll, beforeAll, expect, test } from "vitest";
import { printManifest } from "../../packages/adapters-duckdb/src/backup/manifest.ts";
import {
  type LoggedChange,
  readHead,
  writeRedoLog,
} from "../../packages/adapters-duckdb/src/recovery/redo-log.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-hostile-backup-"));
const whole = join(folder, "whole");
const backup = join(folder, "backup");
const restored = join(folder, "restored");
const secret = join(folder, "secret");
const stolen = join(folder, "stolen");

beforeAll(async () => {
  const data = join(folder, "data");
  const stdin = evaluationLines("e", [true, false]).join("\n");
  expect((await assay(["import", "acme/demo", "-", "--data", data], { stdin })).exitCode).toBe(0);
  expect((await assay(["backup", whole, "--data", data])).exitCode).toBe(0);
  writeFileSync(secret, "not yours");
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Copies the valid backup, for forging. */
function fresh(): void {
  for (const path of [backup, restored]) rmSync(path, { recursive: true, force: true });
  cpSync(whole, backup, { recursive: true });
}

type Manifest = { files: { name: string; size: number; sha256: string }[] } & Record<string, unknown>;

/** Writes a manifest with valid digests for itself and all files, after `change`. */
function list(change: (manifest: Manifest) => unknown = (manifest) => manifest): void {
  const {
    sha256: _,
    kind: _kind,
    ...manifest
  } = JSON.parse(readFileSync(join(whole, "backup.json"), "utf8"));
  for (const file of manifest.files as Manifest["files"]) {
    const path = join(backup, file.name);
    if (!statSync(path).isFile()) continue;
    file.size = statSync(path).size;
    file.sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
  }
  writeFileSync(join(backup, "backup.json"), printManifest(change(manifest) as never));
}

/** Expects the command to refuse the backup with this message, and to change nothing. */
async function refused(message: string | RegExp): Promise<void> {
  const before = readdirSync(folder).sort();
  const { exitCode, stderr } = await assay(["restore", backup, "--data", restored], { cwd: folder });
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(message)]);
  expect(stderr).not.toContain("a bug in assay");
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(readdirSync(folder).sort()).toEqual(before);
}

/** Replaces the backup's redo log with one that contains these frames. */
async function log(...frames: readonly unknown[]): Promise<void> {
  fresh();
  const path = join(backup, "redo.log");
  const { log: _, ...head } = readHead(path);
  async function* state() {
    for (const frame of frames) yield frame as readonly LoggedChange[];
  }
  await writeRedoLog(path, head, state());
  list();
}

const COPY = `COPY (SELECT content FROM read_text('${secret}')) TO '${stolen}'`;

test.each<[string, unknown, RegExp]>([
  [
    "a statement that copies a file",
    [{ sql: COPY, parameters: [] }],
    /a statement that assay does not write/,
  ],
  [
    "a statement after a listed one",
    [{ sql: `INSERT INTO tracking_secret VALUES (?); ${COPY}`, parameters: ["a"] }],
    /a statement that assay does not write/,
  ],
  [
    "an unknown statement number",
    [{ statement: 9999, parameters: [] }],
    /a statement that assay does not write/,
  ],
  [
    "a text in place of a number",
    [{ statement: COPY, parameters: [] }],
    /a statement that assay does not write/,
  ],
  ["rows of an unknown table", [{ table: `x"; ${COPY}`, columns: [] }], /a table that assay does not have/],
  ["a frame that is not a list", COPY, /is not a change/],
])("a redo log with %s is refused with its name and the position", async (_, frame, message) => {
  await log([], frame);
  await refused(message);
  await refused(
    new RegExp(`the change of ${join(backup, "redo.log")} that ends at byte \\d+.*: nothing was restored`),
  );
  expect(existsSync(stolen)).toBe(false);
});

test("a redo log with a forged header is refused", async () => {
  for (const head of [{ store: 5 }, { schema: "10" }, { schema: 1 }, { schema: -1 }, { schema: 1e9 }]) {
    fresh();
    const path = join(backup, "redo.log");
    const { log: _, ...whole } = readHead(path);
    await writeRedoLog(path, { ...whole, ...head } as never, (async function* () {})());
    list();
    await refused(/redo\.log does not begin like a redo log|written by a newer version/);
  }
});

test("a manifest with any part of a wrong type is refused", async () => {
  fresh();
  const wrong = [null, true, 5, -1, 0.5, "text", "", [], {}, [5], { name: 5 }];
  const parts: readonly (readonly [string, (manifest: Manifest, value: unknown) => unknown])[] = [
    ...["store", "schema", "taken_at", "files"].map(
      (name) => [name, (manifest: Manifest, value: unknown) => ({ ...manifest, [name]: value })] as const,
    ),
    ["a file", (manifest, value) => ({ ...manifest, files: [...manifest.files, value] })],
    ...["name", "size", "sha256"].map(
      (name) =>
        [
          `files.${name}`,
          (manifest: Manifest, value: unknown) => ({
            ...manifest,
            files: manifest.files.map((file) => ({ ...file, [name]: value })),
          }),
        ] as const,
    ),
  ];
  for (const [part, change] of parts) {
    for (const value of wrong) {
      // The id and the time are informational; an empty backup and one of an older version are valid.
      if ((part === "store" || part === "taken_at") && typeof value === "string") continue;
      if (part === "schema" && value === 5) continue;
      list((manifest) => change(manifest, value));
      await refused(/backup\.json|is not a file|is no file|bytes, not|made by a newer|twice|neither/);
    }
    list((manifest) => Object.fromEntries(Object.entries(manifest).filter(([name]) => name !== part)));
    if (part in { store: 0, schema: 0, taken_at: 0, files: 0 }) await refused(/backup\.json/);
  }
  for (const text of ["5", "null", "[]", '"text"', "{}", "", "{", "\u0000"]) {
    writeFileSync(join(backup, "backup.json"), text);
    await refused(/backup\.json is damaged/);
  }
});

test("a manifest that names a file elsewhere, or a file twice, is refused", async () => {
  fresh();
  for (const name of [
    secret,
    "../secret",
    "./calls.jsonl",
    "artifacts/../../secret",
    "assay.duckdb",
    "segments/x",
  ]) {
    list((manifest) => ({ ...manifest, files: [...manifest.files, { ...manifest.files[0], name }] }));
    await refused(/is not a file of a data directory/);
  }
  list((manifest) => ({ ...manifest, files: [...manifest.files, manifest.files[0]] }));
  await refused(/backup\.json lists "redo\.log" twice/);
});

test.skipIf(process.platform === "win32")(
  "a link or a pipe in a backup is refused, and not read",
  async () => {
    for (const name of ["calls.jsonl", "redo.log", "backup.json"]) {
      for (const make of [
        (path: string) => symlinkSync(secret, path),
        (path: string) => execFileSync("mkfifo", [path]),
      ]) {
        fresh();
        rmSync(join(backup, name));
        make(join(backup, name));
        if (name !== "backup.json") list();
        await refused(`${join(backup, name)} is not a regular file`);
      }
    }
    fresh();
    const blob = { name: `artifacts/ab/ab${"0".repeat(62)}`, size: 0, sha256: "0".repeat(64) };
    renameSync(join(backup), `${backup}.elsewhere`);
    cpSync(`${backup}.elsewhere`, backup, { recursive: true });
    rmSync(`${backup}.elsewhere`, { recursive: true });
    symlinkSync(folder, join(backup, "artifacts"));
    list((manifest) => ({ ...manifest, files: [...manifest.files, blob] }));
    await refused(/artifacts is not a folder of the backup/);
  },
);
