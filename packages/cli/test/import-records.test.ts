// Importing packed records is equivalent to importing lines, in everything that can be queried.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesFile, type ImportFile, planImport } from "@assay/importers";
import { openDirectory } from "@assay/server/directory";
import { expect, onTestFinished, test } from "vitest";
import { writeLogs } from "../src/import/import-logs.ts";
import type { CliContext } from "../src/terminal/cli-context.ts";

const P = "me/größe";
const SAYING = [
  "plain",
  "„Größe“, 東京 😀",
  'a "quoted"\nline\t\\ \u2028',
  "1.0",
  "12345678901234567890",
  "",
];
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
// More than a megabyte, so that it is packed.
const TABLE = [
  "id,question,model,answer,correct,quality,level,tokens",
  ...Array.from({ length: 1600 }, (_, i) => {
    const said = SAYING[i % SAYING.length]!;
    const row = [
      `q${i >> 1}`,
      cell(`${i >> 1} ${said} ${"word ".repeat(60)}`),
      i % 2 === 0 ? "small" : "large",
    ];
    return [...row, cell(said.repeat(9)), i % 3 === 0, i / 7, i % 4 === 0 ? "1.0" : i, i * 3].join(",");
  }),
].join("\n");
const LOGGED = Array.from({ length: 40 }, (_, i) =>
  JSON.stringify({
    id: i >> 2,
    input: { text: SAYING[(i >> 2) % 6], "a key": [i >> 2] },
    model: "m",
    output: { nested: SAYING[(i + 1) % 6] },
    scores: { exact: i % 2, deep: { er: i / 3 } },
    latency: i / 10,
    error: i % 9 === 0 ? `no\n${SAYING[2]}` : null,
  }),
).join("\n");
const FILES = [file("größe.csv", TABLE), file("logged.jsonl", LOGGED)];

function file(name: string, text: string): ImportFile {
  return bytesFile(name, Buffer.from(text));
}

async function opened() {
  const path = mkdtempSync(join(tmpdir(), "assay-records-"));
  const data = await openDirectory(path);
  onTestFinished(async () => {
    await data.close();
    rmSync(path, { recursive: true });
  });
  const write = async (way: "short" | "lines", files: readonly ImportFile[] = FILES, signal = never) => {
    const context = { signal } as CliContext;
    const to = way === "short" ? data : { ...data, records: undefined };
    const plan = await planImport(files);
    return writeLogs(context, to as typeof data, plan, { project: P, replace: false }, () => {});
  };
  /** Everything that can be queried. */
  const asked = async () => {
    const evaluations = await data.evaluations(P);
    const exported = async (kind: "rows" | "calls") => {
      const pieces: Uint8Array[] = [];
      for await (const piece of data.exportLines(P, kind, undefined)) pieces.push(piece);
      return Buffer.concat(pieces).toString().split("\n").sort();
    };
    const ids = evaluations.map(({ id }) => id);
    const [traces, trees]: [unknown[], unknown[]] = [[], []];
    for await (const some of data.stores.calls.scan(P, { traceIds: ids })) traces.push(...some);
    for (const id of ids)
      for await (const some of data.calls.trees(P, id)) trees.push(...some.map(({ call }) => call.id));
    const query = { evaluation_call_ids: ids, include_raw_data_rows: true, limit: 100 };
    const byId = await data.calls.calls(P, [`${ids[0]}-0000001`, `${ids[0]}-0000040`]);
    return {
      evaluations,
      rows: await exported("rows"),
      calls: await exported("calls"),
      ...{ traces, trees, byId },
      answer: await data.query(P, query),
    };
  };
  return { data, write, asked };
}

const never = new AbortController().signal;

test("packed records and lines write the same data, and neither changes the other's data", async () => {
  const [short, lines] = [await opened(), await opened()];
  const written = await short.write("short");
  expect(written).toEqual(await lines.write("lines"));
  const there = await short.asked();
  expect(there.evaluations.map(({ trials }) => trials).sort((a, b) => a - b)).toEqual([40, 800, 800]);
  expect([there.rows.length, there.calls.length]).toEqual([800 + 10 + 1, 1640 + 3 + 1]);
  expect(there.trees).toHaveLength(1640);
  expect(there.byId.every((call) => call !== undefined)).toBe(true);
  expect(there).toEqual(await lines.asked());
  expect((await short.write("short")).changed).toBe(0);
  expect((await short.write("lines")).changed).toBe(0);
  expect((await lines.write("short")).changed).toBe(0);
  expect(await short.asked()).toEqual(there);
});

test("an interrupted import is completed, and a repeated one changes nothing", async () => {
  const { write, asked } = await opened();
  const stop = new AbortController();
  stop.abort();
  expect(await write("short", FILES, stop.signal)).toMatchObject({ stopped: true });
  expect((await asked()).evaluations).toEqual([]);
  // Imports only the table; the other file is still missing.
  await write("short", FILES.slice(0, 1));
  const { changed } = await write("short");
  expect(changed).toBe(10 + 40 + 1);
  const other = await opened();
  await other.write("lines");
  expect(await asked()).toEqual(await other.asked());
});
