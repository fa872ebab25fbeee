// Checks every file of a data directory and repairs what can be repaired, for `assay doctor`. It reports losses and
// never discards content.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";
import { SHORTEST } from "../compression/bgzf.ts";
import type { Database } from "../database/database.ts";
import { claimInProcess } from "../database/lock.ts";
import { LIST_TABLES } from "../database/schema.ts";
import { makePrivate } from "../files/private-files.ts";
import { openUsageLedger } from "../inference/usage.ts";
import { journalSize, openJournal } from "../records/journal.ts";
import {
  blockEnd,
  blockOf,
  byteOf,
  END_OF_LOCATIONS,
  locationAfter,
  openPackedJournal,
  PACKED,
} from "../records/packed-journal.ts";
import { inFileSql, RECORD_FILES, type RecordFile, recordsEnd } from "../records/record-files.ts";
import { locationsOf } from "../records/record-index.ts";
import { fileArtifacts } from "../training/artifacts.ts";
import { openRecovered } from "./open-recovered.ts";

/** The result of checking a data directory. */
export interface DirectoryReport {
  /** What exists, what was missing or damaged, and what was done about it, as sentences. */
  readonly found: readonly string[];
  /** What is damaged or missing and cannot be restored from the directory, as sentences. Empty if nothing is. */
  readonly lost: readonly string[];
}

// How many records are checked together.
const BATCH = 4096;

/**
 * Checks a data directory that no process has open and repairs what it can: rebuilds a missing or damaged database from
 * its redo log, rewrites a damaged log, and removes records without text from the index. Reads every byte. Throws a
 * fault: `conflict` if a process has it open, `corrupt` if nothing shows which projects its records belong to.
 */
export async function repairDirectory(directory: string): Promise<DirectoryReport> {
  if (!existsSync(directory)) throw new Fault("missing", `data directory not found: ${directory}`);
  const found: string[] = [];
  const lost: string[] = [];
  const release = claimInProcess(directory);
  try {
    const { database } = await openRecovered({
      directory,
      readOnly: false,
      memory: "256MB",
      tell: (message) => (message.endsWith("are lost") ? lost : found).push(message),
      repair: true,
      committed: () => undefined,
    });
    try {
      for (const file of RECORD_FILES) await repairRecords(database, directory, file, { found, lost });
      await forgetLists(database);
      const ledger = await openUsageLedger(database, directory, {
        onDamage: (message) => lost.push(message),
      });
      await ledger.close();
      await checkArtifacts(database, join(directory, "artifacts"), { found, lost });
      makePrivate(directory);
    } finally {
      await database.close();
    }
  } finally {
    release();
  }
  return { found, lost };
}

interface Notes {
  readonly found: string[];
  readonly lost: string[];
}

async function repairRecords(
  database: Database,
  directory: string,
  file: RecordFile,
  { found, lost }: Notes,
): Promise<void> {
  const path = join(directory, file.name);
  const size = journalSize(path);
  const range = [await lastLocation(database, path, file), file.isPacked ? END_OF_LOCATIONS : PACKED];
  for (const table of file.tables) {
    const [counts] = await database.columns(
      `SELECT count(*) FROM ${table} WHERE place + size > ? AND place < ?`,
      range,
    );
    const gone = counts![0] as number;
    if (gone === 0) continue;
    await database.write(async (transaction) => {
      await transaction.run(`DELETE FROM ${table} WHERE place + size > ? AND place < ?`, range);
      await transaction.run("UPDATE projects SET version = version + 1, rows_version = rows_version + 1");
    });
    // They contain data of records that no longer exist.
    rmSync(join(directory, "segments"), { recursive: true, force: true });
    lost.push(`${path} ends at byte ${size}: ${gone} records of ${table} after it are lost`);
  }
  const end = await recordsEnd(database, directory, file);
  if (size === 0) return;
  if (size > end)
    found.push(
      `${path} has ${size - end} bytes after its last record that were never acknowledged: they stay`,
    );
  const journal = await (file.isPacked ? openPackedJournal : openJournal)(path, end, true);
  try {
    for (const table of file.tables) {
      let [records, damaged, first] = [0, 0, 0];
      for await (const locations of locationsIn(database, table, file)) {
        records += locations.length;
        journal.visit(locations, (i, record) => {
          if (record === undefined && damaged++ === 0) first = byteOf(locations[i]!);
        });
      }
      found.push(`${path}: ${records - damaged} of ${records} records of ${table} are whole`);
      if (damaged > 0)
        lost.push(
          `${path}: ${damaged} records of ${table} are damaged, the first at byte ${first}: logging or importing them again repairs them`,
        );
    }
  } finally {
    await journal.close();
  }
}

/** Clears lists, which were computed from calls that may be missing, so that they are computed again. */
async function forgetLists(database: Database): Promise<void> {
  await database.write(async (transaction) => {
    for (const table of LIST_TABLES) await transaction.run(`DELETE FROM ${table}`);
  });
}

/** The end of the last indexed record of a file: there are none after it, and the file may have been cut. */
async function lastLocation(database: Database, path: string, file: RecordFile): Promise<number> {
  const size = journalSize(path);
  if (!file.isPacked) return size;
  const [lasts] = await database.columns(
    file.tables
      .map(
        (table) =>
          `SELECT max(place) FROM ${table} WHERE ${inFileSql(file)} AND place < ${locationAfter(size)}`,
      )
      .join(" UNION ALL "),
  );
  const last = lasts!.reduce<number>((a, b) => Math.max(a, (b as number | null) ?? 0), 0);
  if (last === 0) return locationAfter(0);
  const block = blockOf({ at: last });
  const end = blockEnd(path, block) ?? Math.max(size, block + SHORTEST);
  return locationAfter(end <= size ? end : block);
}

async function* locationsIn(
  database: Database,
  table: string,
  file: RecordFile,
): AsyncGenerator<ReturnType<typeof locationsOf>> {
  const [last] = await database.columns(`SELECT coalesce(max(rowid), -1) FROM ${table}`);
  for (let from = 0; from <= (last![0] as number); from += BATCH) {
    yield locationsOf(
      await database.columns(
        `SELECT place, size, crc FROM ${table} WHERE rowid >= ${from} AND rowid < ${from + BATCH} AND ${inFileSql(file)}`,
      ),
    );
  }
}

/** Checks that every file that a checkpoint names exists, and that its content matches its name. */
async function checkArtifacts(database: Database, directory: string, { found, lost }: Notes): Promise<void> {
  const [bodies] = await database.columns("SELECT body FROM training_checkpoints WHERE NOT deleted");
  const named = new Set((bodies as readonly string[]).flatMap((body) => body.match(SHA256) ?? []));
  const artifacts = fileArtifacts(directory);
  let whole = 0;
  for (const match of named) {
    const name = match.slice(-65, -1);
    if ((await artifacts.find(name)) !== undefined) whole++;
    else
      lost.push(`${join(directory, name.slice(0, 2), name)}, a file of a checkpoint, is missing or damaged`);
  }
  if (named.size > 0) found.push(`${directory}: ${whole} of ${named.size} files of checkpoints are intact`);
  const torn = existsSync(join(directory, "unfinished"))
    ? readdirSync(join(directory, "unfinished")).length
    : 0;
  if (torn > 0) found.push(`${directory}: ${torn} unfinished files of a process that died are removed`);
}

const SHA256 = /"sha256":"[0-9a-f]{64}"/g;
