// Creates a key for a data directory before a server uses it.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const COMMAND = fileURLToPath(new URL("../../packages/cli/bundle/assay.js", import.meta.url));

/** Creates a key for `scope` in the directory `data`. */
export async function newKey(data: string, scope: string): Promise<string> {
  const wish = ["keys", "create", "--name", "test", "--scope", scope, "--data", data];
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...wish]);
  return stdout.trim();
}
