// Tables as files: what was put in is read back by DuckDB.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../src/database.ts";
import { type FileColumn, type TableFormat, writeTableFile } from "../src/table-file.ts";
import { freshDirectory } from "./support.ts";

const COLUMNS: readonly FileColumn[] = [
  { name: "id", type: "text" },
  { name: 'scores."q"', type: "number" },
  { name: "scores.ok", type: "boolean" },
  { name: "output", type: "text" },
];

async function written(lines: readonly unknown[][], format: TableFormat) {
  const directory = freshDirectory();
  const [from, to] = [join(directory, "lines"), join(directory, `it's a table.${format}`)];
  writeFileSync(from, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await writeTableFile(from, to, COLUMNS, format);
  const database = await openDatabase(":memory:", { readOnly: false, memory: "64MB", threads: 1 });
  const source = format === "csv" ? "read_csv($1, all_varchar = true)" : "read_parquet($1)";
  try {
    const [names] = await database.columns(`SELECT column_name FROM (DESCRIBE SELECT * FROM ${source})`, [
      to,
    ]);
    return { names, columns: await database.columns(`SELECT * FROM ${source}`, [to]) };
  } finally {
    await database.close();
  }
}

const LINES = [
  ["a", 1.5, true, { b: [1, null, "é"] }],
  ["=1+1", null, false, 'x"y\n,'],
  ["c\u0000d", -1e-7, null, null],
  // Later scores are not in earlier lines.
  ["short"],
];

test("parquet keeps types and texts, and JSON as text", async () => {
  const { names, columns } = await written(LINES, "parquet");
  expect(names).toEqual(COLUMNS.map(({ name }) => name));
  expect(columns).toEqual([
    ["a", "=1+1", "c\u0000d", "short"],
    [1.5, null, -1e-7, null],
    [true, false, null, null],
    ['{"b":[1,null,"é"]}', 'x"y\n,', null, null],
  ]);
});

test("a CSV has a header, and texts as they are", async () => {
  const { names, columns } = await written(LINES.slice(0, 2), "csv");
  expect(names).toEqual(COLUMNS.map(({ name }) => name));
  expect(columns).toEqual([
    ["a", "=1+1"],
    ["1.5", null],
    ["true", "false"],
    ['{"b":[1,null,"é"]}', 'x"y\n,'],
  ]);
});

test("of no lines is a table with columns and nothing in it", async () => {
  const { names, columns } = await written([], "parquet");
  expect([names?.length, columns]).toEqual([4, [[], [], [], []]]);
});
