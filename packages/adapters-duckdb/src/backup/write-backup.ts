// Writes the files of a backup, from a store of this process or over the network, into a directory of their own: all of
// them, as their manifest says, or nothing.

import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "@assay/base";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../private-files.ts";
import { type BackupFile, isBackupName } from "./backup-files.ts";
import { type BackupManifest, type ListedFile, MANIFEST_FILE, readManifest } from "./manifest.ts";
import { wholeDirectory } from "./whole-directory.ts";

/** What was written. */
export interface BackupReport {
  /** Its moment, in ISO 8601: what was acknowledged before the backup began is in it. */
  readonly takenAt: string;
  /** How many files it has. */
  readonly files: number;
  /** Their bytes. */
  readonly bytes: number;
}

/**
 * Writes a backup to `destination`, a directory that is not there or is empty. It is there once it is whole and on the
 * disk. Throws a fault: `conflict` when something is there, `unavailable` when the files are not those of the manifest;
 * and the reason of `signal` once that is aborted.
 */
export function writeBackup(
  destination: string,
  files: AsyncIterable<BackupFile>,
  signal?: AbortSignal,
): Promise<BackupReport> {
  return wholeDirectory(destination, [MANIFEST_FILE], async (partial) => {
    const written = new Map<string, ListedFile>();
    for await (const file of files) {
      if (file.name !== MANIFEST_FILE && !isBackupName(file.name))
        throw new Fault("corrupt", `a backup has no file ${JSON.stringify(file.name)}`);
      const made = await writeFileSynced(join(partial, file.name), file.content, signal);
      if (file.name !== MANIFEST_FILE) written.set(file.name, { name: file.name, ...made });
    }
    const manifest = readManifest(partial);
    for (const file of manifest.files) {
      const { size, sha256 } = written.get(file.name) ?? {};
      if (size !== file.size || sha256 !== file.sha256)
        throw new Fault("unavailable", `${file.name} arrived damaged: nothing was kept`);
      written.delete(file.name);
    }
    // Deleted before the moment of the backup.
    for (const name of written.keys()) rmSync(join(partial, name));
    return reportOf(manifest);
  });
}

/** What a manifest says in numbers. */
export function reportOf({ taken_at: takenAt, files }: BackupManifest): BackupReport {
  return { takenAt, files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

/** Writes a new file in folders made as they are needed; on the disk when the promise resolves to what it is. */
export async function writeFileSynced(
  path: string,
  content: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<Omit<ListedFile, "name">> {
  const digest = createHash("sha256");
  let size = 0;
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const handle = await open(path, "wx", PRIVATE_FILE);
  try {
    for await (const piece of content) {
      signal?.throwIfAborted();
      digest.update(piece);
      size += piece.length;
      await handle.appendFile(piece);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { size, sha256: digest.digest("hex") };
}
