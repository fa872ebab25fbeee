// Restores a data directory from a backup: every file as listed in the manifest, or nothing.

import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";
import { DATABASE_FILE } from "../records/record-files.ts";
import { LOG_FILE } from "../recovery/open-recovered.ts";
import { type DirectoryReport, repairDirectory } from "../recovery/repair.ts";
import { atomicDirectory } from "./atomic-directory.ts";
import { backedUpFile } from "./backed-up-file.ts";
import { isBackupName } from "./backup-files.ts";
import { type ListedFile, readBackupManifest } from "./manifest.ts";
import { type BackupReport, reportOf, writeFileSynced } from "./write-backup.ts";

/** The result of restoring a backup. */
export interface RestoreReport extends BackupReport {
  /** What was already damaged when the backup was made, as sentences. Empty if nothing was. */
  readonly lost: DirectoryReport["lost"];
}

/**
 * Restores the backup in a folder to `directory`, which does not exist or is empty. Verifies lengths and digests,
 * rebuilds the database and checks every record before the directory appears. Only regular files of the folder are
 * read; of its redo log, only statements that this program writes are run; nothing is written outside `directory`.
 * Throws a fault: `missing` if the folder is not a backup; `corrupt` with the name of a file that is damaged, missing
 * or not made by `writeBackup`; `conflict` if the directory has content or a newer version made the backup; and the
 * reason of `signal` once that is aborted.
 */
export function restoreBackup(
  backup: string,
  directory: string,
  signal?: AbortSignal,
): Promise<RestoreReport> {
  const manifest = readBackupManifest(backup);
  // Without the redo log, records without a database are refused, and nothing is written next to them.
  return atomicDirectory(directory, [LOG_FILE, DATABASE_FILE], async (partial) => {
    for (const file of manifest.files) await copyVerified(backup, { to: partial, signal }, file);
    const { lost } = await repairDirectory(partial).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
      // Damage is in the backup; what cannot be written is in the directory.
      const of = error.code === "corrupt" ? backup : directory;
      const message = `${error.message.replaceAll(partial, of)}: nothing was restored`;
      throw new Fault(error.code, message, { cause: error, file: error.file });
    });
    return { ...reportOf(manifest), lost: lost.map((what) => what.replaceAll(partial, directory)) };
  });
}

async function copyVerified(
  backup: string,
  { to, signal }: { readonly to: string; readonly signal: AbortSignal | undefined },
  { name, size, sha256 }: ListedFile,
): Promise<void> {
  const path = join(backup, name);
  const damaged = (what: string): Fault =>
    new Fault("corrupt", `${path} ${what}: nothing was restored`, { file: path });
  if (!isBackupName(name)) throw damaged("is not a file of a data directory");
  const found = backedUpFile(backup, name);
  if (found === undefined) throw damaged("is missing");
  if (found.size !== size) throw damaged(`has ${found.size} bytes, not ${size}`);
  const made = await writeFileSynced(join(to, name), contentOf(path), signal);
  if (made.sha256 !== sha256) throw damaged("is damaged: its SHA-256 is not that of the manifest");
}

async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new Fault("unavailable", `cannot read ${path}`, { cause: error, file: path });
  }
}
