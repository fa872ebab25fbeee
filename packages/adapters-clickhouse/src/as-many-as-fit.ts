// Reading records that may be long: as many at once as may be held in memory together.

import { isLongAnswer, type Rows, type RunOptions } from "./clickhouse.ts";

/** Bytes of records that are held together. One record may have more. */
const HELD_BYTES = 64 * 2 ** 20;

/** Some records, and how many were asked for. */
interface SomeRecords {
  readonly rows: Rows;
  readonly asked: number;
}

/**
 * The answer for up to `most` records: for half as many again and again while theirs is too long. Nearly always the first
 * is not, so that it costs nothing.
 */
export async function asManyAsFit(
  most: number,
  ask: (count: number, options: RunOptions) => Promise<Rows>,
): Promise<SomeRecords> {
  for (let asked = most; ; asked = Math.ceil(asked / 2)) {
    try {
      return { rows: await ask(asked, asked > 1 ? { answerBytes: HELD_BYTES } : {}), asked };
    } catch (error) {
      if (asked === 1 || !isLongAnswer(error)) throw error;
    }
  }
}
