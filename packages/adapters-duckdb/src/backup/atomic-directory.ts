// A directory that appears only when it is complete. A new directory gets its name once its content is on the disk. If
// an empty directory exists, which may be a mount point, the entries are moved into it; entries without which it is not
// recognised are moved last.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Fault } from "@assay/base";
import { isSystemError, syncDirectory, writeFault } from "../files/file-io.ts";
import { makePrivate, PRIVATE_FOLDER } from "../files/private-files.ts";

/**
 * Fills a new directory at `path`: `fill` writes to a temporary one next to it, which is removed if it throws. The
 * entries in `last` are moved last, in this order: without them the directory is not recognised. Throws a `conflict`
 * fault if `path` has content.
 */
export async function atomicDirectory<T>(
  path: string,
  last: readonly string[],
  fill: (partial: string) => Promise<T>,
): Promise<T> {
  const isThere = existsSync(path);
  if (isThere && !isEmpty(path))
    throw new Fault("conflict", `${path} is not empty: name a new directory, or an empty one`);
  let partial: string | undefined;
  try {
    if (!isThere) mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    // Only the owner can read what this creates.
    partial = mkdtempSync(
      isThere ? join(path, ".partial-") : join(dirname(path), `${basename(path)}.partial-`),
    );
    const filled = await fill(partial);
    syncFolders(partial);
    if (isThere) {
      const others = readdirSync(partial).filter((name) => !last.includes(name));
      for (const name of [...others, ...last]) {
        renameSync(join(partial, name), join(path, name));
        syncDirectory(path);
      }
      rmdirSync(partial);
      makePrivate(path);
    } else {
      renameSync(partial, path);
      syncDirectory(dirname(path));
    }
    return filled;
  } catch (error) {
    if (partial !== undefined) rmSync(partial, { recursive: true, force: true });
    throw isSystemError(error) ? writeFault(error, path) : error;
  }
}

function isEmpty(path: string): boolean {
  try {
    return readdirSync(path).every((name) => name === "lost+found");
  } catch (error) {
    throw new Fault("conflict", `${path} is not a directory that can be read`, { cause: error });
  }
}

function syncFolders(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) syncFolders(join(path, entry.name));
  syncDirectory(path);
}
