// Writes the files of a backup, from a store of this process or over the network, to its own directory: all files of
// the manifest, or nothing.

import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "@assay/base";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../files/private-files.ts";
import { atomicDirectory } from "./atomic-directory.ts";
import { type BackupFile, isBackupName } from "./backup-files.ts";
import { type BackupManifest, type ListedFile, MANIFEST_FILE, readBackupManifest } from "./manifest.ts";

/** The result of writing a backup. */
export interface BackupReport {
  /** The moment of the backup, in ISO 8601. It includes everything acknowledged before it began. */
  readonly takenAt: string;
  /** The number of files. */
  readonly files: number;
  /** Their total size in bytes. */
  readonly bytes: number;
}

/**
 * Writes a backup to `destination`, a directory that does not exist or is empty. It appears there once it is complete
 * and on the disk. Throws a fault: `conflict` if the directory has content, `unavailable` if the files do not match the
 * manifest; and the reason of `signal` once that is aborted.
 */
export function writeBackup(
  destination: string,
  files: AsyncIterable<BackupFile>,
  signal?: AbortSignal,
): Promise<BackupReport> {
  return atomicDirectory(destination, [MANIFEST_FILE], async (partial) => {
    const written = new Map<string, ListedFile>();
    for await (const file of files) {
      if (file.name !== MANIFEST_FILE && !isBackupName(file.name))
        throw new Fault("corrupt", `a backup has no file ${JSON.stringify(file.name)}`);
      const made = await writeFileSynced(join(partial, file.name), file.content, signal);
      if (file.name !== MANIFEST_FILE) written.set(file.name, { name: file.name, ...made });
    }
    const manifest = readBackupManifest(partial);
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

/** The totals of a manifest. */
export function reportOf({ taken_at: takenAt, files }: BackupManifest): BackupReport {
  return { takenAt, files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

/** Writes a new file, creating folders as needed. Resolves to its description once it is on the disk. */
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
