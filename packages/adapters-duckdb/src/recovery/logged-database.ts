// A database that writes each transaction to the redo log before committing it. Acknowledged changes are in both.

import type { Fault } from "@assay/base";
import { serialQueue } from "@assay/base/internal";
import type { Column, Database, Parameter, Transaction, UnloggedDatabase } from "../database/database.ts";
import { numberOf, type Statement } from "../database/statements.ts";
import { dictionaryEncoded } from "./column-encoding.ts";
import { isLoggedTable } from "./logged-change.ts";
import { appended, type LoggedChange, type PreparedFrame, type RedoLog } from "./redo-log.ts";

/** The log and callbacks of a logged database. */
export interface LoggedOptions {
  /** The current log, which may be replaced after a transaction. */
  readonly log: () => RedoLog;
  /** Runs after each transaction, before the next; it must not reject. */
  readonly committed: () => Promise<void>;
  /** Called when the log no longer takes changes. */
  readonly onBroken?: ((fault: Fault) => void) | undefined;
}

/** Wraps the database so that it writes to a log. */
export function loggedDatabase(
  database: UnloggedDatabase,
  { log, committed, onBroken }: LoggedOptions,
): Database {
  const next = serialQueue();

  const write = async <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    let written: PreparedFrame | undefined;
    try {
      return await database.write(async (transaction) => {
        const changes: LoggedChange[] = [];
        const result = await work(recording(transaction, changes));
        if (changes.length === 0) return result;
        const frame = await log().prepare(changes);
        await transaction.run("UPDATE log_position SET done_to = ?", [frame.end]);
        await log().append(frame);
        written = frame;
        return result;
      });
    } catch (error) {
      try {
        if (written !== undefined) log().takeBack(written);
      } finally {
        const { broken } = log();
        if (broken !== undefined) onBroken?.(broken);
      }
      throw error;
    }
  };

  return {
    columns: database.columns,
    snapshot: database.snapshot,
    write: (work) =>
      next(async () => {
        const result = await write(work);
        await committed();
        return result;
      }),
    async close() {
      await next(async () => undefined);
      await database.close();
    },
  };
}

function recording(transaction: Transaction, changes: LoggedChange[]): Transaction {
  return {
    columns: transaction.columns,
    async run(sql: Statement, parameters: readonly Parameter[] = []) {
      const statement = numberOf(sql);
      if (statement === undefined) throw new Error(`a statement that no redo log can name: ${sql}`);
      await transaction.run(sql, parameters);
      changes.push({ statement, parameters });
    },
    async append(table: string, columns: readonly Column[]) {
      if (!isLoggedTable(table)) throw new Error(`a table that no redo log adds to: ${table}`);
      const narrow = dictionaryEncoded(columns);
      // Rows are packed while the database adds them and journals are synced.
      const [change] = await Promise.all([appended(table, narrow), transaction.append(table, narrow)]);
      changes.push(change);
    },
  };
}
