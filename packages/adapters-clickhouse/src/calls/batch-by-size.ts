// Reads records that may be long, in batches that fit in memory.

import { isLongAnswer, type ResultRows, type RunOptions } from "../connection/clickhouse.ts";

/** The most bytes of records held at once. A single record may be larger. */
const HELD_BYTES = 64 * 2 ** 20;

/** Some records, and how many were requested. */
interface SomeRecords {
  readonly rows: ResultRows;
  readonly asked: number;
}

/**
 * The answer for up to `most` records: while it is too long, it is requested for half as many. The first attempt
 * nearly always fits, so this costs nothing.
 */
export async function batchBySize(
  most: number,
  ask: (count: number, options: RunOptions) => Promise<ResultRows>,
): Promise<SomeRecords> {
  for (let asked = most; ; asked = Math.ceil(asked / 2)) {
    try {
      return { rows: await ask(asked, asked > 1 ? { answerBytes: HELD_BYTES } : {}), asked };
    } catch (error) {
      if (asked === 1 || !isLongAnswer(error)) throw error;
    }
  }
}
