// A flat table of trials as bytes.

import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TableFormat } from "@assay/adapters-http/internal";
import type { TrialRecord } from "./flat-trials.ts";

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
  const { writeTableFile } = await import("@assay/adapters-duckdb/internal");
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
