// Usage records that are not in the table yet, in two files: while the records of one are being moved into the table,
// new ones go to the other. Every answer waits for its record, and appending a line takes a hundredth of the time of a
// transaction. Never interprets a record.

import {
  appendFileSync,
  closeSync,
  fdatasync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { Fault } from "@assay/base";
import type { UsageRecord } from "@assay/inference-core";
import { syncDirectory, writeFault } from "../journal.ts";
import { PRIVATE_FILE } from "../private-files.ts";

/** The files of records that wait to be put into the table. */
export interface UsageJournal {
  /** Those that were there when it was opened. */
  readonly found: readonly UsageRecord[];
  /** Adds a record: when it returns, the operating system has it, so that killing the process loses nothing. */
  append(record: UsageRecord): void;
  /** Brings what was appended to the disk: from then on, a power cut loses nothing of it. */
  sync(): Promise<void>;
  /** Turns to the other file. What it returns empties the one before, once its records are elsewhere. */
  turn(): () => void;
  close(): void;
}

const FILES = ["usage.0.jsonl", "usage.1.jsonl"] as const;
const DAMAGED = "usage.damaged.jsonl";
const datasync: SyncFile = promisify(fdatasync);

/** Brings what was written to a file, by its number, to the disk. */
export type SyncFile = (fd: number) => Promise<void>;

/**
 * Opens the journal in a directory. `onDamage` is told of a line that is not as it was written, unless it is the last:
 * that one was being written when its process died, and nobody was told that it was kept.
 */
export function openUsageJournal(
  directory: string,
  onDamage: (message: string) => void,
  syncFile: SyncFile = datasync,
): UsageJournal {
  const found: UsageRecord[] = [];
  const files = FILES.map((name) => {
    try {
      const fd = openSync(join(directory, name), "a+", PRIVATE_FILE);
      const { records, end, damaged } = readLines(readFileSync(fd), name, onDamage);
      keepDamaged(directory, damaged);
      ftruncateSync(fd, end);
      found.push(...records);
      return { name, fd, end };
    } catch (error) {
      throw Fault.from(error, "unavailable", `cannot open ${name}`);
    }
  });
  syncDirectory(directory);
  let current = files[0]!;
  let unsynced = new Set<number>();

  return {
    found,
    append(record) {
      const { name, fd, end } = current;
      const bytes = Buffer.from(lineOf(record));
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
      } catch (error) {
        // What was written of it is not to be found later: nobody is told that it was kept.
        ftruncateSync(fd, end);
        throw writeFault(error, name);
      }
      current.end += bytes.length;
      unsynced.add(fd);
    },
    async sync() {
      const fds = unsynced;
      unsynced = new Set();
      for (const fd of fds) {
        await syncFile(fd).catch((error: unknown) => {
          throw writeFault(error, "the usage journal");
        });
      }
    },
    turn() {
      const before = current;
      current = files[before === files[0] ? 1 : 0]!;
      return () => {
        ftruncateSync(before.fd, 0);
        before.end = 0;
      };
    },
    close() {
      for (const { fd } of files) closeSync(fd);
    },
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

/** What is no record, also the one that was being written last, is kept where nothing reads it. */
function keepDamaged(directory: string, damaged: Uint8Array): void {
  if (damaged.length > 0) appendFileSync(join(directory, DAMAGED), damaged, { mode: PRIVATE_FILE });
}

function readLines(bytes: Buffer, name: string, onDamage: (message: string) => void) {
  const records: UsageRecord[] = [];
  // Without its line end, a line is not whole.
  const end = bytes.lastIndexOf("\n") + 1;
  const torn = bytes.subarray(end);
  const damaged: Uint8Array[] = torn.length > 0 ? [torn, Buffer.from("\n")] : [];
  const lines = bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
  for (const [i, line] of lines.entries()) {
    const text = line.slice(9);
    if (line.slice(0, 9) === `${crcOf(text)} `) records.push(JSON.parse(text) as UsageRecord);
    else {
      damaged.push(Buffer.from(`${line}\n`));
      if (i < lines.length - 1) onDamage(`line ${i + 1} of ${name} is damaged and was left out`);
    }
  }
  return { records, end, damaged: Buffer.concat(damaged) };
}
