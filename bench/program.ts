// The frame of every benchmark program: reads its options, prints what it measured and hands it to the report.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Effort, FULL, QUICK } from "./interleave.ts";
import type { Measurement } from "./measurement.ts";
import { measurementTables } from "./report.ts";

/** What a program is told. */
export interface Options {
  /** How many rows of synthetic data. */
  readonly rows: number;
  /** A folder with `calls.jsonl` and `rows.jsonl`; undefined when there is none. */
  readonly mmluPro: string | undefined;
  readonly effort: Effort;
}

/** A number of rows as it is written in tables: 1k, 100k, 1M. */
export function sizeName(rows: number): string {
  if (rows >= 1e6) return `${rows / 1e6}M`;
  return rows >= 1000 ? `${rows / 1000}k` : `${rows}`;
}

/** Runs `measure` with the options of the command line: --rows N, --mmlu-pro DIR, --full, --out FILE. */
export async function program(measure: (options: Options) => Promise<readonly Measurement[]>): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: "string", default: "100000" },
      "mmlu-pro": { type: "string" },
      full: { type: "boolean", default: false },
      out: { type: "string" },
    },
  });
  const measurements = await measure({
    rows: Number(values.rows),
    mmluPro: values["mmlu-pro"],
    effort: values.full ? FULL : QUICK,
  });
  console.log(`\n${measurementTables(measurements)}`);
  if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(measurements));
}

/** Tells the person who waits what is being done. */
export function progress(what: string): void {
  console.error(`bench: ${what}`);
}
