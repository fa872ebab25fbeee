// Checks whether a command can be started, without starting it.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { Fault } from "@assay/base";

/**
 * Rejects with the fault `missing` if this program does not exist. It is a path, or a name to look up in the folders of
 * `path`. A path must be absolute, because each run starts in its own folder.
 */
export async function checkProgram(program: string, path = ""): Promise<void> {
  if (/[/\\]/.test(program)) {
    if (!isAbsolute(program))
      throw new Fault(
        "missing",
        `the command ${program} was not found: use an absolute path, because each run has its own folder`,
      );
    if (await isProgram(program)) return;
    throw new Fault("missing", `the command ${program} does not exist, or is not a program`);
  }
  for (const folder of path.split(delimiter)) if (await isProgram(join(folder, program))) return;
  throw new Fault("missing", `the command ${program} was not found in PATH`);
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
