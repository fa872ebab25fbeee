// Usage records that are not in the table yet, in two files: while the records of one are moved to the table, new ones
// go to the other. Every answer waits for its record, and appending a line takes a hundredth of the time of a
// transaction. Never interprets a record.

import {
  appendFileSync,
  closeSync,
  existsSync,
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
import { syncDirectory, writeFault } from "../files/file-io.ts";
import { PRIVATE_FILE } from "../files/private-files.ts";
import { openUsageCount } from "./usage-count.ts";

/** The files of records waiting to be moved to the table. */
export interface UsageJournal {
  /** Records that existed when it was opened. */
  readonly found: readonly UsageRecord[];
  /** How many records this directory has lost: damaged, or in a missing part of a file. */
  readonly lost: number;
  /** Adds a record: when it returns, the operating system has it, so killing the process loses nothing. */
  append(record: UsageRecord): void;
  /** Syncs what was appended to the disk: after that, it survives a power cut. */
  sync(): Promise<void>;
  /**
   * Switches to the other file. Returns a function that empties the previous one, to call once its records are stored
   * elsewhere.
   */
  turn(): () => void;
  close(): void;
}

const FILES = ["usage.0.jsonl", "usage.1.jsonl"] as const;
const DAMAGED = "usage.damaged.jsonl";
const COUNT = "usage.count";
/** The usage files, for backups. */
export const USAGE_FILES: readonly string[] = [...FILES, COUNT];
const datasync: SyncFile = promisify(fdatasync);

/** Syncs a file, by its descriptor, to the disk. */
export type SyncFile = (fd: number) => Promise<void>;

/** One of the files, open. */
interface OpenFile {
  readonly number: 0 | 1;
  readonly path: string;
  readonly fd: number;
  end: number;
}

/**
 * Opens the journal in a directory. `onDamage` is called for lines that were altered, and for missing records. Lines
 * that are not records are kept in a file that is never read. A last line without a line break was being written when
 * its process died, and was never acknowledged.
 */
export function openUsageJournal(
  directory: string,
  onDamage: (message: string) => void,
  syncFile: SyncFile = datasync,
): UsageJournal {
  const count = openUsageCount(join(directory, COUNT), onDamage);
  /** Stores the new numbers of a file. */
  const note = (of: 0 | 1, held: number, missing: number): void => {
    const { numbers } = count;
    const changed = ([known, value]: readonly [readonly [number, number], number]) =>
      [of === 0 ? value : known[0], of === 1 ? value : known[1]] as const;
    const more = Math.max(0, missing - numbers.missing[of]);
    count.write({
      held: changed([numbers.held, held]),
      missing: changed([numbers.missing, missing]),
      lost: numbers.lost + more,
    });
  };
  const found: UsageRecord[] = [];
  const opened = ([0, 1] as const).map((number): OpenFile => {
    const path = join(directory, FILES[number]);
    try {
      const isNew = !existsSync(path);
      const fd = openSync(path, "a+", PRIVATE_FILE);
      const { records, end, damaged, bad } = readLines(readFileSync(fd));
      const held = Math.max(count.numbers.held[number], records.length + bad.length);
      const missing = held - records.length;
      if (missing > count.numbers.missing[number]) {
        for (const line of bad) onDamage(`line ${line} of ${FILES[number]} is damaged and was left out`);
        if (missing > bad.length) onDamage(`${missing - bad.length} records of ${FILES[number]} are gone`);
      }
      keepDamaged(directory, damaged);
      ftruncateSync(fd, end);
      if (isNew) syncDirectory(directory);
      if (held > 0) note(number, held, missing);
      for (const record of records) found.push(record);
      return { number, path, fd, end };
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw new Fault("unavailable", `cannot open ${path}`, { cause: error, file: path });
    }
  });
  const files = opened as [OpenFile, OpenFile];
  let current = files[0];
  let unsynced = new Set<OpenFile>();

  return {
    found,
    get lost() {
      return count.numbers.lost;
    },
    append(record) {
      const { number, path, fd, end } = current;
      const bytes = Buffer.from(lineOf(record));
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
        note(number, count.numbers.held[number] + 1, count.numbers.missing[number]);
      } catch (error) {
        // Removes the partial record: it is not acknowledged and must not be found later.
        ftruncateSync(fd, end);
        throw writeFault(error, FILES[number], path);
      }
      current.end += bytes.length;
      unsynced.add(current);
    },
    async sync() {
      const some = unsynced;
      unsynced = new Set();
      for (const { fd, number, path } of some) {
        await syncFile(fd).catch((error: unknown) => {
          throw writeFault(error, FILES[number], path);
        });
      }
    },
    turn() {
      const before = current;
      current = files[before.number === 0 ? 1 : 0];
      return () => {
        // In this order: more lines than the count are not a loss.
        note(before.number, 0, 0);
        ftruncateSync(before.fd, 0);
        before.end = 0;
      };
    },
    close() {
      for (const { fd } of files) closeSync(fd);
      count.close();
    },
  };
}

/** The journal of a read-only directory. It takes no records. */
export function readUsageJournal(directory: string, onDamage: (message: string) => void): UsageJournal {
  const found: UsageRecord[] = [];
  let lost = 0;
  for (const name of FILES) {
    const path = join(directory, name);
    if (!existsSync(path)) continue;
    const { records, bad } = readLines(readFileSync(path));
    for (const record of records) found.push(record);
    lost += bad.length;
    for (const line of bad) onDamage(`line ${line} of ${name} is damaged and was left out`);
  }
  const refuse = (): never => {
    throw new Fault("denied", "the data directory is open read-only");
  };
  return {
    found,
    lost,
    append: refuse,
    sync: async () => undefined,
    turn: () => () => undefined,
    close: () => undefined,
  };
}

/** A record as a line: the CRC-32 of its JSON, then the JSON. */
function lineOf(record: UsageRecord): string {
  const text = JSON.stringify(record);
  return `${crcOf(text)} ${text}\n`;
}

function crcOf(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

/** Keeps lines that are not records, including an incomplete last line, in a file that is never read. */
function keepDamaged(directory: string, damaged: Uint8Array): void {
  if (damaged.length > 0) appendFileSync(join(directory, DAMAGED), damaged, { mode: PRIVATE_FILE });
}

function readLines(bytes: Buffer) {
  const records: UsageRecord[] = [];
  const bad: number[] = [];
  // A line without its line break is incomplete.
  const end = bytes.lastIndexOf("\n") + 1;
  const torn = bytes.subarray(end);
  const damaged: Uint8Array[] = torn.length > 0 ? [torn, Buffer.from("\n")] : [];
  const lines = bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
  for (const [i, line] of lines.entries()) {
    const text = line.slice(9);
    if (line.slice(0, 9) === `${crcOf(text)} `) records.push(JSON.parse(text) as UsageRecord);
    else {
      damaged.push(Buffer.from(`${line}\n`));
      bad.push(i + 1);
    }
  }
  return { records, end, damaged: Buffer.concat(damaged), bad };
}
