// Checks whether a command can be started, without starting it.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { Fault } from "@assay/base";

/**
 * Rejects with the fault `missing` when there is no program of this name: a path, or a name that is looked for in the
 * folders of `path`. A path is absolute, because each run is started in a folder of its own.
 */
export async function checkProgram(program: string, path = ""): Promise<void> {
  if (/[/\\]/.test(program)) {
    if (!isAbsolute(program))
      throw new Fault(
        "missing",
        `the command ${program} is not found: runs have their own folder, name it from /`,
      );
    if (await isProgram(program)) return;
    throw new Fault("missing", `the command ${program} does not exist, or is not a program`);
  }
  for (const folder of path.split(delimiter)) if (await isProgram(join(folder, program))) return;
  throw new Fault("missing", `the command ${program} is not found in any folder of PATH`);
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
