// A file of a backup, which can have been made by anybody: what is read of it lies in its folder, and is read to an end.

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
 * The file of this name, with slashes, in the folder of a backup; undefined when it is not there. Throws a `corrupt` fault
 * for a link, which leads elsewhere, and for what is not a file, such as a pipe, which may never end.
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
