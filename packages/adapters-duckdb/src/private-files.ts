// Rights in a data directory: it holds prompts, answers and the hashes of keys, which belong only to its owner. On
// Windows, where these bits say nothing, nothing is changed.

import { chmodSync, type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Rights of a file that only its owner may read and write. */
export const PRIVATE_FILE = 0o600;
/** Rights of a folder that only its owner may look into. */
export const PRIVATE_FOLDER = 0o700;

const OTHERS = 0o077;
/** What the store keeps in a data directory. Anything else there is not its own to change. */
const OURS =
  /^(assay\.|redo\.log|usage\.|calls\.jsonl|rows\.jsonl|objects\.jsonl|files\.bin|artifacts$|segments$)/;

/** Takes the rights of others from a data directory and from what the store keeps in it. */
export function makePrivate(directory: string): void {
  if (process.platform === "win32") return;
  restrict(directory, PRIVATE_FOLDER);
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (OURS.test(entry.name)) restrictEntry(directory, entry, false);
}

/** Takes the rights of others from a file that another library made, when it is there. */
export function makeFilePrivate(path: string): void {
  if (process.platform !== "win32") restrict(path, PRIVATE_FILE);
}

/** What lies in a folder that was private has always been so, and need not be looked at one by one. */
function restrictEntry(folder: string, entry: Dirent, wasPrivate: boolean): void {
  const path = join(folder, entry.name);
  if (entry.isFile() && !wasPrivate) restrict(path, PRIVATE_FILE);
  if (!entry.isDirectory()) return;
  const isPrivate = !restrict(path, PRIVATE_FOLDER);
  for (const inner of readdirSync(path, { withFileTypes: true })) restrictEntry(path, inner, isPrivate);
}

/** Gives a path these rights when others have any; says whether they had. */
function restrict(path: string, mode: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & OTHERS) === 0) return false;
  try {
    chmodSync(path, mode);
  } catch (error) {
    // Someone else's: its owner decides.
    if ((error as { code?: unknown }).code !== "EPERM") throw error;
  }
  return true;
}
