// Applies changes from a redo log that a database lacks.

import { Fault } from "@assay/base";
import type { UnloggedDatabase, UnloggedTransaction } from "../database/database.ts";
import { journalSize } from "../records/journal.ts";
import type { LogPosition } from "./log-position.ts";
import { readChange } from "./logged-change.ts";
import { type LoggedChanges, readRedoLog } from "./redo-log.ts";

/** Options for redoing. */
export interface RedoOptions {
  readonly database: UnloggedDatabase;
  readonly logPath: string;
  /** How much has been applied. */
  readonly position: LogPosition;
  readonly tell: (message: string) => void;
  /** Whether to continue after damaged bytes, instead of throwing a `corrupt` fault. */
  readonly repair: boolean;
}

// How many bytes and frames of a log are applied in one transaction.
const BYTES = 8 * 1024 * 1024;
const FRAMES = 1000;

/**
 * Applies the log's changes after a position. Returns where the last complete one ends, and whether there was no damage
 * in between. If interrupted, the database knows its position. Throws a `corrupt` fault for a change that this program
 * does not write, even when repairing: the rest of such a log is not applied.
 */
export async function redoFrom({
  database,
  logPath,
  position,
  tell,
  repair,
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
      // After damage, a change may not fit what is stored, and must not affect others.
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
      if (!repair) throw new Fault("corrupt", `${damage}: assay doctor repairs what it can`);
      tell(`${damage}: the changes there are lost`);
      isWhole = false;
    }
  }
  await flush();
  return { end, isWhole };
}

/** Whether the log has damaged bytes followed by complete changes. */
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
