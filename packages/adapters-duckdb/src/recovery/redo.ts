// Doing again what a redo log says and a database lacks.

import { Fault } from "@assay/base";
import type { UnloggedDatabase, UnloggedTransaction } from "../database.ts";
import { journalSize } from "../journal.ts";
import type { LogPosition } from "./log-position.ts";
import { readChange } from "./logged-change.ts";
import { type LoggedChanges, readRedoLog } from "./redo-log.ts";

/** What to do again. */
export interface RedoOptions {
  readonly database: UnloggedDatabase;
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
 * them. When it is interrupted, the database knows how far it came. Throws a `corrupt` fault for a change that this
 * program does not write, also when it is to mend: no part of such a log is done further.
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
    await redoTogether(database, logPath, some);
  };
  for (const part of readRedoLog(logPath, end)) {
    if ("changes" in part) {
      group.push(part);
      end = part.end;
      // Behind damage, a change may not fit what is stored, and must not take others with it.
      if (!isWhole)
        await flush().catch((error: unknown) => {
          if (error instanceof Fault && error.code === "corrupt") throw error;
          tell(error instanceof Error ? error.message : String(error));
        });
      else if (end - groupedTo >= BYTES || group.length >= FRAMES) await flush();
    } else if (part.to === size) {
      const name = `${logPath}.torn`;
      tell(
        `${logPath} ends in ${size - part.from} bytes that are not a complete change: they are kept in ${name}`,
      );
    } else {
      await flush();
      const damage = `bytes ${part.from} to ${part.to} of ${logPath} are damaged`;
      if (!mend) throw new Fault("corrupt", `${damage}: assay doctor repairs what it can`);
      tell(`${damage}: the changes there are lost`);
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

async function redoTogether(
  database: UnloggedDatabase,
  logPath: string,
  parts: readonly LoggedChanges[],
): Promise<void> {
  await database.write(async (transaction) => {
    for (const { changes, end } of parts)
      for (const change of changes) await redo(transaction, change, logPath, end);
    await transaction.run("UPDATE log_position SET done_to = ?", [parts.at(-1)!.end]);
  });
}

async function redo(
  transaction: UnloggedTransaction,
  change: unknown,
  logPath: string,
  end: number,
): Promise<void> {
  const name = `the change of ${logPath} that ends at byte ${end}`;
  const read = readChange(change);
  if (typeof read === "string") throw new Fault("corrupt", `${name} ${read}`, { file: logPath });
  try {
    if ("sql" in read) await transaction.run(read.sql, read.parameters);
    else await transaction.append(read.table, read.columns);
  } catch (error) {
    const { code, message, file } = Fault.from(error, "unavailable", "the embedded database failed");
    throw new Fault(code, `${name} could not be replayed: ${message}`, { cause: error, file });
  }
}
