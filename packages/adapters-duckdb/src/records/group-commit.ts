// Group commit: writes that arrive while others are being written share the next transaction, and thus the wait for
// the disk.

import type { Database, Transaction } from "../database/database.ts";

/** Some writes of one transaction. A write that does not fit must leave the transaction unchanged. */
type Work<T> = (transaction: Transaction) => Promise<T>;

interface Waiting {
  readonly work: Work<unknown>;
  readonly answer: (result: never) => void;
  readonly fail: (error: unknown) => void;
}

/** The maximum of writes in a transaction: if one throws, all of them fail. */
const MOST_TOGETHER = 100;

/** Returns a function that writes in order of arrival; each write is on the disk when its promise resolves. */
export function groupCommit(database: Database): <T>(work: Work<T>) => Promise<T> {
  const waiting: Waiting[] = [];
  let writing = false;

  const write = async (): Promise<void> => {
    writing = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, MOST_TOGETHER);
      try {
        const results = await database.write(async (transaction) => {
          const done: unknown[] = [];
          for (const { work } of group) done.push(await work(transaction));
          return done;
        });
        for (const [i, { answer }] of group.entries()) answer(results[i] as never);
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    writing = false;
  };

  return (work) =>
    new Promise((answer, fail) => {
      waiting.push({ work, answer, fail });
      if (!writing) void write();
    });
}
