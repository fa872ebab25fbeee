// Doing again what a redo log says and a database lacks.

import { Fault } from "@assay/base";
import type { Database } from "../database.ts";
import { journalSize } from "../journal.ts";
import type { LogPosition } from "./log-position.ts";
import { redo } from "./logged-database.ts";
import { type LoggedChanges, readRedoLog } from "./redo-log.ts";

/** What to do again. */
export interface RedoOptions {
  readonly database: Database;
  readonly logPath: string;
  /** How far it has been done. */
  readonly position: LogPosition;
  readonly tell: (message: string) => void;
  /** Whether to go on behind damaged bytes; else they are a `corrupt` fault. */
  readonly mend: boolean;
}

// Bytes of a log, and frames of it, that are done in one transaction.
const BYTES = 8 * 1024 * 1024;
const FRAMES = 1000;

/**
 * Does the changes of the log behind a position. Says where the last whole one ends, and whether no damage lies between
 * them. When it is interrupted, the database knows how far it came.
 */
export async function redoFrom({
  database,
  logPath,
  position,
  tell,
  mend,
}: RedoOptions): Promise<{ readonly end: number; readonly isWhole: boolean }> {
  const size = journalSize(logPath);
  let { at: end } = position;
  let isWhole = true;
  let group: LoggedChanges[] = [];
  let groupedTo = end;
  const flush = async (): Promise<void> => {
    if (group.length === 0) return;
    const some = group;
    group = [];
    groupedTo = end;
    await redoTogether(database, some);
  };
  for (const part of readRedoLog(logPath, end)) {
    if ("changes" in part) {
      group.push(part);
      end = part.end;
      // Behind damage, a change may not fit what is there, and must not take others with it.
      if (!isWhole) await flush().catch((error: unknown) => tell(notDone(logPath, end, error)));
      else if (end - groupedTo >= BYTES || group.length >= FRAMES) await flush();
    } else if (part.to === size) {
      const name = `${logPath}.torn`;
      tell(`${logPath} ends in ${size - part.from} bytes that are no whole change: they are kept in ${name}`);
    } else {
      await flush();
      const damage = `bytes ${part.from} to ${part.to} of ${logPath} are damaged`;
      if (!mend) throw new Fault("corrupt", `${damage}: assay doctor does what can be done without them`);
      tell(`${damage}: what was changed there is lost`);
      isWhole = false;
    }
  }
  await flush();
  return { end, isWhole };
}

/** Whether bytes of the log are damaged that have whole changes behind them. */
export function hasDamage(logPath: string): boolean {
  const size = journalSize(logPath);
  for (const part of readRedoLog(logPath, 0)) if (!("changes" in part) && part.to < size) return true;
  return false;
}

async function redoTogether(database: Database, parts: readonly LoggedChanges[]): Promise<void> {
  await database.write(async (transaction) => {
    for (const { changes } of parts) await redo(transaction, changes);
    await transaction.run("UPDATE log_position SET done_to = ?", [parts.at(-1)!.end]);
  });
}

function notDone(logPath: string, end: number, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `the change of ${logPath} that ends at byte ${end} could not be done again: ${reason}`;
}
