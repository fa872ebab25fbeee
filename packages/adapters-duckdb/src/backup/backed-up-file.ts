// A file of a backup, which may come from anyone: only files inside its folder are read, and reading always ends.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@assay/base";

/** An existing file. */
export interface BackedUpFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * The file with this name (with slashes) in a backup's folder; undefined if it does not exist. Throws a `corrupt` fault
 * for links, which lead elsewhere, and for anything that is not a regular file, such as a pipe, which may never end.
 */
export function backedUpFile(backup: string, name: string): BackedUpFile | undefined {
  let path = backup;
  const folders = name.split("/");
  const file = folders.pop()!;
  const refused = (what: string): Fault =>
    new Fault("corrupt", `${path} ${what}: nothing was restored`, { file: path });
  for (const folder of folders) {
    path = join(path, folder);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (!found.isDirectory()) throw refused("is not a folder of the backup");
  }
  path = join(path, file);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw refused("is not a regular file");
  return { path, size: found.size };
}
