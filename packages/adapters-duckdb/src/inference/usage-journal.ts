// Usage records that are not in the table yet, in a file: appending and syncing a line takes a fraction of the time
// of a transaction, and every answer waits for it. Never interprets a record.

import { open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { Fault } from "@assay/base";
import type { UsageRecord } from "@assay/inference-core";
import { syncDirectory, writeFault } from "../journal.ts";

/** The file of records that wait to be put into the table. */
export interface UsageJournal {
  /** Those that were there when it was opened, in order. */
  readonly found: readonly UsageRecord[];
  /** Adds records; they are on the disk when it resolves. One call at a time. */
  append(records: readonly UsageRecord[]): Promise<void>;
  /** Forgets all records, once they are elsewhere. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the journal, made when it is not there. `onDamage` is told of a line that is not as it was written, unless it
 * is the last: that one was being written when its process died, and nobody was told that it was kept.
 */
export async function openUsageJournal(
  path: string,
  onDamage: (message: string) => void,
): Promise<UsageJournal> {
  const handle = await open(path, "a+").catch((error: unknown) => {
    throw new Fault("unavailable", "cannot open usage.jsonl", { cause: error });
  });
  syncDirectory(dirname(path));
  const { found, end } = readLines(await readFile(path), onDamage);
  await handle.truncate(end);
  let at = end;

  return {
    found,
    async append(records) {
      const bytes = Buffer.from(records.map(lineOf).join(""));
      try {
        await handle.appendFile(bytes);
        await handle.datasync();
        at += bytes.length;
      } catch (error) {
        // What may have been written of it is not to be found later: nobody is told that it was kept.
        await handle.truncate(at).catch(() => undefined);
        throw writeFault(error, "usage.jsonl");
      }
    },
    async clear() {
      await handle.truncate(0).catch((error: unknown) => {
        throw writeFault(error, "usage.jsonl");
      });
      at = 0;
    },
    close: () => handle.close(),
  };
}

/** A record as a line: the CRC-32 of its JSON, then that. */
function lineOf(record: UsageRecord): string {
  const text = JSON.stringify(record);
  return `${crcOf(text)} ${text}\n`;
}

function crcOf(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

function readLines(bytes: Buffer, onDamage: (message: string) => void) {
  const found: UsageRecord[] = [];
  // Without its line end, a line is not whole.
  const end = bytes.lastIndexOf("\n") + 1;
  const lines = bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
  for (const [i, line] of lines.entries()) {
    const text = line.slice(9);
    if (line.slice(0, 9) === `${crcOf(text)} `) found.push(JSON.parse(text) as UsageRecord);
    else if (i < lines.length - 1) onDamage(`line ${i + 1} of usage.jsonl is damaged and was left out`);
  }
  return { found, end };
}
