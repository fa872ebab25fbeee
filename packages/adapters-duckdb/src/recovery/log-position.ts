// How far a database has done its redo log.

import type { Reader } from "../database.ts";

/** A place in a log: all changes before byte `at` have been done. */
export interface LogPosition {
  /** The log's id; empty when there was none yet. */
  readonly log: string;
  readonly at: number;
  /** Where the state that the log began with ends. */
  readonly began: number;
}

/** The position that the database notes in each transaction. */
export async function positionOf(reader: Reader): Promise<LogPosition> {
  const [log, at, began] = await reader.columns("SELECT log, done_to, began FROM log_position");
  return { log: log![0] as string, at: at![0] as number, began: began![0] as number };
}
