// Permissions in a data directory: it holds prompts, answers and the hashes of keys, which are only for its owner. On
// Windows, where the mode bits have no meaning, nothing is changed.

import { chmodSync, type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The mode of a file that only its owner may read and write. */
export const PRIVATE_FILE = 0o600;
/** The mode of a folder that only its owner may read. */
export const PRIVATE_FOLDER = 0o700;

const OTHERS = 0o077;
/** The store's files in a data directory. Other files there are left unchanged. */
const OURS =
  /^(assay\.|redo\.log|usage\.|calls\.jsonl|rows\.jsonl|objects\.jsonl|files\.bin|artifacts$|segments$)/;

/** Removes permissions of others from a data directory and the store's files in it. */
export function makePrivate(directory: string): void {
  if (process.platform === "win32") return;
  restrict(directory, PRIVATE_FOLDER);
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (OURS.test(entry.name)) restrictEntry(directory, entry, false);
}

/** Removes permissions of others from a file made by another library, if it exists. */
export function makeFilePrivate(path: string): void {
  if (process.platform !== "win32") restrict(path, PRIVATE_FILE);
}

/** The content of a folder that was already private has always been private, and is not checked. */
function restrictEntry(folder: string, entry: Dirent, wasPrivate: boolean): void {
  const path = join(folder, entry.name);
  if (entry.isFile() && !wasPrivate) restrict(path, PRIVATE_FILE);
  if (!entry.isDirectory()) return;
  const isPrivate = !restrict(path, PRIVATE_FOLDER);
  for (const inner of readdirSync(path, { withFileTypes: true })) restrictEntry(path, inner, isPrivate);
}

/** Sets the mode of a path if others have permissions; returns whether they had. */
function restrict(path: string, mode: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & OTHERS) === 0) return false;
  try {
    chmodSync(path, mode);
  } catch (error) {
    // The file belongs to another user, who decides.
    if ((error as { code?: unknown }).code !== "EPERM") throw error;
  }
  return true;
}
