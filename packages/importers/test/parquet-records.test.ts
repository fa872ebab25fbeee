// Parquet files written by other libraries: compressions, unreadable types, the index of pandas.

import { fromBase64 } from "@assay/testing/import-fixtures";
import { describe, expect, test } from "vitest";
import { bytesFile, planImport } from "../src/index.ts";
import { BROTLI_PARQUET, INDEX_PARQUET, INTERVAL_PARQUET, LZ4_PARQUET } from "./parquet-files.ts";

const planned = (bytes: Uint8Array) => planImport([bytesFile("t.parquet", bytes)]);
const ROLES = "t.parquet: rows by id; an evaluation for each model; answers in answer; scores in score";

test.each([
  ["compressed with Brotli", BROTLI_PARQUET, [ROLES]],
  ["compressed with LZ4", LZ4_PARQUET, [ROLES]],
  ["with pandas' index, which is not a score", INDEX_PARQUET, [`${ROLES}; also kept: __index_level_0__`]],
  [
    "without a column of an unreadable type",
    INTERVAL_PARQUET,
    [ROLES, "t.parquet: left out, since their type cannot be read: elapsed (INTERVAL)"],
  ],
])("a file is read %s", async (_, file, notes) => {
  const plan = await planned(fromBase64(file));
  expect(plan.refused).toEqual([]);
  expect(
    plan.evaluations.map(({ name, scores }) => [name, scores.map(({ path, mean }) => [path, mean])]),
  ).toEqual([
    ["A", [["score", 0.5]]],
    ["BB", [["score", 0.625]]],
  ]);
  expect(plan.notes).toEqual(notes);
});

describe("an unreadable compression is named", () => {
  // The footer field with a column's codec, and its value for LZ4.
  const [FIELD, LZ4_RAW] = [0x15, 0x0e];

  test.each([
    ["LZO", 0x06],
    ["LZ4", 0x0a],
  ])("%s", async (name, code) => {
    const bytes = fromBase64(LZ4_PARQUET);
    for (let at = bytes.length - 400; at < bytes.length; at++)
      if (bytes[at] === FIELD && bytes[at + 1] === LZ4_RAW) bytes[at + 1] = code;
    expect((await planned(bytes)).refused).toMatchObject([
      {
        reason: `compressed with ${name}, which cannot be read; UNCOMPRESSED, SNAPPY, ZSTD, GZIP, LZ4_RAW and BROTLI can`,
      },
    ]);
  });
});
