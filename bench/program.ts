// The frame of every benchmark program: parses its options, prints its measurements and passes them to the report.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Effort, FULL, QUICK } from "./interleave.ts";
import type { Measurement } from "./measurement.ts";
import { measurementTables } from "./report.ts";

/** The options of a program. */
export interface Options {
  /** The number of synthetic rows. */
  readonly rows: number;
  /** A folder with `calls.jsonl` and `rows.jsonl`, if any. */
  readonly mmluPro: string | undefined;
  readonly effort: Effort;
}

/** A number of rows as in tables: 1k, 100k, 1M. */
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

/** Prints a progress message. */
export function progress(what: string): void {
  console.error(`bench: ${what}`);
}
