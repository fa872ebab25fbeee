// A flat table of trials, written out whole.

import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { EXIT, Failure } from "./failure.ts";
import type { TrialRecord } from "./flat-trials.ts";
import type { World } from "./world.ts";
import { writeWhole } from "./write-whole.ts";

/** How a table of trials is written. */
export type TableFormat = "csv" | "parquet" | "jsonl";

/** The formats, for the command line. */
export const TABLE_FORMATS: readonly TableFormat[] = ["csv", "parquet", "jsonl"];

/** Fails when a terminal is to show what is not text, and when a page is to be no file. */
export function checkOutput(world: World, format: string, output: string | undefined): void {
  if (format === "parquet" && output === undefined && world.stdout.columns !== undefined)
    throw new Failure(EXIT.usage, "parquet is nothing for a terminal: give --output FILE");
  if (format === "html" && output === undefined)
    throw new Failure(EXIT.usage, "html is a file to open in a browser: give --output FILE");
}

/** Writes the records to a file, there once it is whole, or to the standard output. Gives how many there were. */
export async function writeTable(
  world: World,
  records: AsyncIterable<TrialRecord>,
  format: TableFormat,
  output: string | undefined,
): Promise<number> {
  let count = 0;
  const bytes = tableBytes(
    counting(records, () => count++),
    format,
  );
  await writeWhole(world, output, (stream, options) => pipeline(bytes, stream, options));
  return count;
}

async function* counting<T>(items: AsyncIterable<T>, onItem: () => void): AsyncGenerator<T> {
  for await (const item of items) {
    onItem();
    yield item;
  }
}

/** The records as a table, some bytes at a time. Those of CSV and Parquet come once all records are there. */
export async function* tableBytes(
  records: AsyncIterable<TrialRecord>,
  format: TableFormat,
): AsyncGenerator<Uint8Array> {
  const { jsonLines, writeFlatLines } = await import("./flat-table.ts");
  if (format === "jsonl") {
    const encoder = new TextEncoder();
    for await (const lines of jsonLines(records)) yield encoder.encode(lines);
    return;
  }
  const { writeTableFile } = await import("@assay/adapters-duckdb");
  const scratch = await mkdtemp(join(tmpdir(), "assay-export-"));
  try {
    const [lines, table] = [join(scratch, "trials.jsonl"), join(scratch, "trials")];
    const columns = await writeFlatLines(records, lines, format);
    await writeTableFile(lines, table, columns, format);
    yield* createReadStream(table) as AsyncIterable<Uint8Array>;
  } finally {
    await rm(scratch, { recursive: true });
  }
}
