// Files that are replaced are kept: what looks damaged may be all that is left of something.

import { existsSync, renameSync } from "node:fs";
import { basename, dirname } from "node:path";
import { syncDirectory } from "../journal.ts";

/** Gives a file, when it is there, a name under which nothing looks for it, and tells which. */
export function setAside(path: string, tell: (message: string) => void): void {
  if (!existsSync(path)) return;
  let number = 1;
  while (existsSync(`${path}.set-aside-${number}`)) number++;
  renameSync(path, `${path}.set-aside-${number}`);
  syncDirectory(dirname(path));
  tell(`${path} is kept as ${basename(path)}.set-aside-${number}`);
}
