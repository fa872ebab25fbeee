// A flat table of trials as bytes.

import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TableFormat } from "@assay/adapters-http/internal";
import { serialQueue } from "@assay/base/internal";
import type { FlatColumn } from "./flat-table.ts";
import type { TrialRecord } from "./flat-trials.ts";

/** Writes one Parquet file at a time, because each takes memory that is not counted elsewhere. */
const parquet = serialQueue();

/**
 * The records as a table, in chunks. CSV and Parquet bytes come after all records were read; until then, empty chunks
 * let the reader yield to others.
 */
export async function* tableBytes(
  records: AsyncIterable<TrialRecord>,
  format: TableFormat,
): AsyncGenerator<Uint8Array> {
  const { csvField, csvLines, jsonLines, writeFlatLines } = await import("./flat-table.ts");
  const encoder = new TextEncoder();
  if (format === "jsonl") {
    for await (const lines of jsonLines(records)) yield encoder.encode(lines);
    return;
  }
  const scratch = await mkdtemp(join(tmpdir(), "assay-export-"));
  try {
    const lines = join(scratch, "trials.jsonl");
    const columns = yield* steps(writeFlatLines(records, lines, format));
    if (format === "csv") {
      yield encoder.encode(`${columns.map(({ name }) => csvField(name)).join(",")}\n`);
      for await (const piece of csvLines(lines, columns, csvField)) yield encoder.encode(piece);
      return;
    }
    const table = join(scratch, "trials.parquet");
    const csv = join(scratch, "trials.csv");
    const longest = yield* steps(writeCsv(lines, csv, columns));
    await rm(lines);
    const { writeParquetFile } = await import("@assay/adapters-duckdb/internal");
    await parquet(() => writeParquetFile(csv, table, columns, longest));
    await rm(csv);
    yield* createReadStream(table) as AsyncIterable<Uint8Array>;
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/**
 * Writes the lines as CSV for `writeParquetFile`, yielding after each chunk. Returns an upper bound of a line's
 * length.
 */
async function* writeCsv(
  lines: string,
  to: string,
  columns: readonly FlatColumn[],
): AsyncGenerator<void, number> {
  const { csvLines, quotedField } = await import("./flat-table.ts");
  let longest = 0;
  const file = await open(to, "wx");
  try {
    for await (const piece of csvLines(lines, columns, quotedField)) {
      const bytes = Buffer.from(piece);
      // A chunk ends as soon as a line makes it long enough.
      longest = Math.max(longest, bytes.length);
      await file.appendFile(bytes);
      yield;
    }
  } finally {
    await file.close();
  }
  return longest;
}

/** Returns the result of `work`, and yields an empty chunk for each of its steps. A reader that stops ends `work`. */
async function* steps<T>(work: AsyncGenerator<void, T | undefined>): AsyncGenerator<Uint8Array, T> {
  try {
    for (;;) {
      const { done, value } = await work.next();
      if (done === true) return value as T;
      yield NOTHING;
    }
  } finally {
    await work.return(undefined);
  }
}

const NOTHING = new Uint8Array(0);
