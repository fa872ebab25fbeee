// Group commit: writes that arrive while others are being written share the next transaction, and thus the wait for
// the disk.

import { batchQueue } from "@assay/base/internal";
import type { Database, Transaction } from "../database/database.ts";

/** Some writes of one transaction. A write that does not fit must leave the transaction unchanged. */
type Work<T> = (transaction: Transaction) => Promise<T>;

/** The maximum of writes in a transaction: if one throws, all of them fail. */
const MOST_TOGETHER = 100;

/** Returns a function that writes in order of arrival; each write is on the disk when its promise resolves. */
export function groupCommit(database: Database): <T>(work: Work<T>) => Promise<T> {
  const queue = batchQueue<Work<unknown>, unknown>({
    write: (group) =>
      database.write(async (transaction) => {
        const done: unknown[] = [];
        for (const work of group) done.push(await work(transaction));
        return done;
      }),
    lengthOf: ({ length }) => Math.min(length, MOST_TOGETHER),
  });
  return <T>(work: Work<T>) => queue(work) as Promise<T>;
}
