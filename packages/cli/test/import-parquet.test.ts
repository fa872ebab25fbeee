// A Parquet file gives the same import as JSON lines with the same values.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeParquetFile } from "@assay/adapters-duckdb/internal";
import { bytesFile, planImport } from "@assay/importers";
import { textFile } from "@assay/testing/text-file";
import { expect, onTestFinished, test } from "vitest";

const SAID = ["plain", "„Größe“, 東京 😀", 'a "quoted"\nline\t\\ \u2028', "", "\ufeffmarked"];
const COLUMNS = [
  { name: "id", type: "text" },
  { name: "question", type: "text" },
  { name: "model", type: "text" },
  { name: "answer", type: "text" },
  { name: "correct", type: "boolean" },
  { name: "quality", type: "number" },
] as const;
// Several pages and batches; columns with and without a dictionary, each with nulls between equal values.
const RECORDS = Array.from({ length: 6000 }, (_, i) => ({
  id: `q${i >> 1}`,
  question: (i >> 1) % 3 === 0 ? null : SAID[(i >> 1) % 4]!,
  model: i % 2 === 0 ? "small" : "large",
  answer: i % 7 === 0 ? null : `${i} ${SAID[i % 5]!.repeat(100)}`,
  correct: i % 5 === 0 ? null : i % 3 === 0,
  quality: i % 4 === 0 ? null : i / 8,
}));

test("a Parquet file has the same trials as JSON lines", async () => {
  const directory = mkdtempSync(join(tmpdir(), "assay-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [from, to] = [join(directory, "lines"), join(directory, "t.parquet")];
  const cell = (value: string | number | boolean | null) =>
    value === null ? "" : `"${String(value).replaceAll('"', '""')}"`;
  const lines = RECORDS.map((record) => `${COLUMNS.map(({ name }) => cell(record[name])).join(",")}\n`);
  writeFileSync(from, lines.join(""));
  await writeParquetFile(from, to, COLUMNS, Math.max(...lines.map((line) => Buffer.byteLength(line))));
  const json = RECORDS.map((record) => JSON.stringify(record)).join("\n");
  const [packed, plain] = await Promise.all([
    planImport([bytesFile("t.parquet", readFileSync(to))]),
    planImport([textFile("t.jsonl", json)]),
  ]);
  expect(packed.refused).toEqual([]);
  expect(packed.evaluations.map(({ trials }) => trials)).toEqual([3000, 3000]);
  expect(packed.evaluations).toEqual(plain.evaluations);
});
