// Quarantines replaced files: one that looks damaged may be the last copy of something.

import { existsSync, renameSync } from "node:fs";
import { basename, dirname } from "node:path";
import { syncDirectory } from "../files/file-io.ts";

/** Renames a file, if it exists, so that nothing uses it, and reports its new name. */
export function quarantine(path: string, tell: (message: string) => void): void {
  if (!existsSync(path)) return;
  let number = 1;
  while (existsSync(`${path}.set-aside-${number}`)) number++;
  renameSync(path, `${path}.set-aside-${number}`);
  syncDirectory(dirname(path));
  tell(`${path} is kept as ${basename(path)}.set-aside-${number}`);
}
