// Writes a flat table of trials.

import { pipeline } from "node:stream/promises";
import type { TableFormat } from "@assay/adapters-http/internal";
import { type TrialRecord, tableBytes } from "@assay/server/export";
import type { CliContext } from "../terminal/cli-context.ts";
import { EXIT, Failure } from "../terminal/failure.ts";
import { writeAtomic } from "./write-atomic.ts";

/** Fails if binary data would be printed on a terminal, or if a page would not be a file. */
export function checkOutput(context: CliContext, format: string, output: string | undefined): void {
  if (format === "parquet" && output === undefined && context.stdout.columns !== undefined)
    throw new Failure(EXIT.usage, "parquet is binary and not printed on a terminal: give --output FILE");
  if (format === "html" && output === undefined)
    throw new Failure(EXIT.usage, "html is a file to open in a browser: give --output FILE");
}

/** Writes the records to a file, which only appears when complete, or to standard output. Returns their number. */
export async function writeTable(
  context: CliContext,
  records: AsyncIterable<TrialRecord>,
  format: TableFormat,
  output: string | undefined,
): Promise<number> {
  let count = 0;
  const bytes = tableBytes(
    counting(records, () => count++),
    format,
  );
  await writeAtomic(context, output, (stream, options) => pipeline(bytes, stream, options));
  return count;
}

async function* counting<T>(items: AsyncIterable<T>, onItem: () => void): AsyncGenerator<T> {
  for await (const item of items) {
    onItem();
    yield item;
  }
}
