// How much of its redo log a database has applied.

import type { DatabaseReader } from "../database/database.ts";

/** A position in a log: all changes before byte `at` have been applied. */
export interface LogPosition {
  /** The log's id; empty if there was no log yet. */
  readonly log: string;
  readonly at: number;
  /** Where the log's initial state ends. */
  readonly began: number;
}

/** The position that the database records in each transaction. */
export async function positionOf(reader: DatabaseReader): Promise<LogPosition> {
  const [log, at, began] = await reader.columns("SELECT log, done_to, began FROM log_position");
  return { log: log![0] as string, at: at![0] as number, began: began![0] as number };
}
