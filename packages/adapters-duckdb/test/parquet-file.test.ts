// Tables as files, read back by DuckDB.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../src/database/database.ts";
import { type ParquetColumn, writeParquetFile } from "../src/parquet-file.ts";
import { freshDirectory } from "./support.ts";

const COLUMNS: readonly ParquetColumn[] = [
  { name: "id", type: "text" },
  { name: 'scores."q"', type: "number" },
  { name: "scores.right", type: "boolean" },
  { name: "scores.ok", type: "text" },
];

async function written(lines: readonly string[], columns = COLUMNS) {
  const directory = freshDirectory();
  const [from, to] = [join(directory, "lines"), join(directory, "it's a table.parquet")];
  writeFileSync(from, lines.map((line) => `${line}\n`).join(""));
  await writeParquetFile(from, to, columns, Math.max(0, ...lines.map((line) => Buffer.byteLength(line))));
  const database = await openDatabase(":memory:", {
    readOnly: false,
    memory: "256MB",
    threads: 1,
    files: [to],
  });
  try {
    return {
      names: (await database.columns("SELECT name FROM parquet_schema($1) WHERE type IS NOT NULL", [to]))[0],
      columns: await database.columns("SELECT * FROM read_parquet($1)", [to]),
    };
  } finally {
    await database.close();
  }
}

test("parquet keeps types and texts, and distinguishes null from empty", async () => {
  const { names, columns } = await written([
    '"a","1.5","true","{""b"":[1,null,""é""]}"',
    '"=1+1",,"false","x""y\n,\r\n"',
    '"c\u0000d","-1e-7",,',
    ',,,""',
  ]);
  expect(names).toEqual(COLUMNS.map(({ name }) => name));
  expect(columns).toEqual([
    ["a", "=1+1", "c\u0000d", null],
    [1.5, null, -1e-7, null],
    [true, false, null, null],
    ['{"b":[1,null,"é"]}', 'x"y\n,\r\n', null, ""],
  ]);
});

test("without lines is a table with columns and no rows", async () => {
  const { names, columns } = await written([]);
  expect([names?.length, columns]).toEqual([4, [[], [], [], []]]);
});

test("one line may be as long as many others, and many lines may be long", async () => {
  const one: readonly ParquetColumn[] = [{ name: "text", type: "text" }];
  const long = "x".repeat(4 * 2 ** 20);
  const lines = [`"${long}"`, ...Array.from({ length: 8192 }, (_, i) => `"${i}${"y".repeat(4096)}"`)];
  const { columns } = await written(lines, one);
  expect([columns[0]?.length, (columns[0]![0] as string).length]).toEqual([8193, long.length]);
});
