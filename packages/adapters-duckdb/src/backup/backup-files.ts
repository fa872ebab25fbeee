// Reads the files of a backup from a store that is open and written to, as of one moment. Journals and the redo log
// only grow, so their content up to the length of that moment stays the same while it is copied. The database is not
// included: it is rebuilt from the redo log.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "@assay/base";
import type { Database, DatabaseReader } from "../database/database.ts";
import { SCHEMA } from "../database/schema.ts";
import { USAGE_FILES } from "../inference/usage-journal.ts";
import { RECORD_FILES, recordsEnd } from "../records/record-files.ts";
import { positionOf } from "../recovery/log-position.ts";
import { LOG_FILE } from "../recovery/open-recovered.ts";
import { readHead } from "../recovery/redo-log.ts";
import { type ListedFile, MANIFEST_FILE, printManifest } from "./manifest.ts";

/** A file of a backup that is being made. */
export interface BackupFile {
  /** Its path in the backup, with slashes. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Its content in pieces. Read it once, completely, before requesting the next file. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** The store. */
export interface BackupParts {
  readonly database: Database;
  readonly directory: string;
  readonly readOnly: boolean;
  /** Its id. */
  readonly id: string;
}

/** The state recorded at the moment of the backup. */
interface Moment {
  readonly takenAt: string;
  /**
   * Open files that grow, with the size of each that counts. Open, so that their content remains when other files
   * replace them.
   */
  readonly open: readonly { readonly name: string; readonly handle: FileHandle; readonly size: number }[];
  /** Files that are changed in place, read completely. */
  readonly held: readonly { readonly name: string; readonly bytes: Buffer }[];
  readonly artifacts: readonly string[];
}

const PIECE = 1024 * 1024;
/** How many times a copy may fail because artifacts are deleted after the moment, before giving up. */
const TRIES = 10;

/**
 * The files of a backup, the manifest last. Their moment is between the request for the first file and the last file:
 * everything acknowledged before that request is included. A file that the manifest does not list was deleted before
 * the moment, and is not part of the backup.
 */
export async function* backupFiles(parts: BackupParts): AsyncGenerator<BackupFile> {
  const listed = new Map<string, ListedFile>();
  const noted = (file: Omit<BackupFile, "content">, pieces: AsyncIterable<Uint8Array>): BackupFile => ({
    ...file,
    content: counted(file, pieces, (one) => listed.set(file.name, one)),
  });

  const artifacts = join(parts.directory, "artifacts");
  // Most artifacts are copied before the moment, so that few can be deleted between the moment and their copy.
  yield* artifactFiles(artifacts, artifactsIn(artifacts), noted);
  for (let tries = 1; ; tries++) {
    const moment = await momentOf(parts);
    try {
      const rest = moment.artifacts.filter((name) => !listed.has(name));
      if (yield* artifactFiles(artifacts, rest, noted)) {
        const isThen = new Set(moment.artifacts);
        for (const name of listed.keys()) if (!isThen.has(name)) listed.delete(name);
        for (const { name, handle, size } of moment.open)
          yield noted({ name, size }, piecesOf(handle, name, size));
        for (const { name, bytes } of moment.held) yield noted({ name, size: bytes.length }, only(bytes));
        yield manifestFile(parts, moment, [...listed.values()]);
        return;
      }
    } finally {
      for (const { handle } of moment.open) await handle.close();
    }
    if (tries === TRIES)
      throw new Fault("overloaded", "artifacts are deleted faster than they can be copied: try again later");
  }
}

function manifestFile({ id }: BackupParts, { takenAt }: Moment, files: readonly ListedFile[]): BackupFile {
  const text = printManifest({ store: id, schema: SCHEMA, taken_at: takenAt, files });
  const bytes = Buffer.from(text);
  return { name: MANIFEST_FILE, size: bytes.length, content: only(bytes) };
}

/** Records the moment. Meanwhile no transaction commits, and no file of records or usage is truncated. */
async function momentOf({ database, directory, readOnly }: BackupParts): Promise<Moment> {
  const take = async (reader: DatabaseReader): Promise<Moment> => {
    const takenAt = new Date().toISOString();
    const { log, at } = await positionOf(reader);
    const logPath = join(directory, LOG_FILE);
    if (!existsSync(logPath) || readHead(logPath).log !== log)
      throw new Fault(
        "conflict",
        `${logPath} does not belong to the database: open the directory for writing once`,
      );
    const ends = [at];
    for (const file of RECORD_FILES) ends.push(await recordsEnd(reader, directory, file));
    const names = [LOG_FILE, ...RECORD_FILES.map(({ name }) => name)];
    const handles: Moment["open"][number][] = [];
    try {
      for (const [i, name] of names.entries()) {
        // A directory of an older version gets packed journals only when it is opened for writing.
        if (ends[i] === 0 && !existsSync(join(directory, name))) continue;
        handles.push({ name, handle: await open(join(directory, name)), size: ends[i]! });
      }
      const held = USAGE_FILES.filter((name) => existsSync(join(directory, name)));
      return {
        takenAt,
        open: handles,
        held: held.map((name) => ({ name, bytes: readFileSync(join(directory, name)) })),
        artifacts: artifactsIn(join(directory, "artifacts")),
      };
    } catch (error) {
      for (const { handle } of handles) await handle.close();
      throw error;
    }
  };
  return readOnly ? database.snapshot(take) : database.write(take);
}

/** The names of all artifacts, as they appear in a backup. */
function artifactsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((part) => readdirSync(join(folder, part)).map((name) => `artifacts/${part}/${name}`))
    .filter((name) => ARTIFACT.test(name));
}

const ARTIFACT = /^artifacts\/[0-9a-f]{2}\/[0-9a-f]{64}$/;

/** Whether a file of a backup can have this name. */
export function isBackupName(name: string): boolean {
  return (
    ARTIFACT.test(name) ||
    [LOG_FILE, ...USAGE_FILES].includes(name) ||
    RECORD_FILES.some((file) => file.name === name)
  );
}

type Noted = (file: Omit<BackupFile, "content">, pieces: AsyncIterable<Uint8Array>) => BackupFile;

/** These artifacts, except those deleted meanwhile; returns whether none were deleted. */
async function* artifactFiles(
  folder: string,
  names: readonly string[],
  noted: Noted,
): AsyncGenerator<BackupFile, boolean> {
  let isWhole = true;
  for (const name of names) {
    const handle = await open(join(folder, "..", name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw new Fault("unavailable", `cannot read ${name}`, { cause: error, file: join(folder, "..", name) });
    });
    if (handle === undefined) {
      isWhole = false;
      continue;
    }
    try {
      const { size } = await handle.stat();
      yield noted({ name, size }, piecesOf(handle, name, size));
    } finally {
      await handle.close();
    }
  }
  return isWhole;
}

async function* piecesOf(handle: FileHandle, name: string, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const { bytesRead, buffer } = await handle
      .read(Buffer.allocUnsafeSlow(Math.min(PIECE, size - at)), 0, null, at)
      .catch((error: unknown) => {
        throw new Fault("unavailable", `cannot read ${name} at byte ${at}`, { cause: error });
      });
    if (bytesRead === 0) throw new Fault("corrupt", `${name} ends at byte ${at}, before its last record`);
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

/** Passes the pieces on; once they are read, calls `told` with their size and digest. */
async function* counted(
  { name, size }: Omit<BackupFile, "content">,
  pieces: AsyncIterable<Uint8Array>,
  onFile: (file: ListedFile) => void,
): AsyncGenerator<Uint8Array> {
  const digest = createHash("sha256");
  for await (const piece of pieces) {
    digest.update(piece);
    yield piece;
  }
  onFile({ name, size, sha256: digest.digest("hex") });
}
