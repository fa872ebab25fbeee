// Starts the built command in a separate process. Plain JavaScript, because scripts use it too.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The file of the built command. */
export const COMMAND = fileURLToPath(new URL("../../packages/cli/bundle/assay.js", import.meta.url));

/**
 * Starts the command with these arguments and piped streams. It gets only PATH of the caller's environment, or all of
 * it with `inherit`. `node` has arguments for Node.js: with an `--import`, the process has an IPC channel.
 *
 * @param {readonly string[]} args
 * @param {{ readonly env?: Readonly<Record<string, string>>, readonly inherit?: boolean, readonly cwd?: string, readonly node?: readonly string[] }} [options]
 * @returns {import("node:child_process").ChildProcessWithoutNullStreams}
 */
export function spawnAssay(args, { env = {}, inherit = false, cwd, node = [] } = {}) {
  if (!existsSync(COMMAND)) throw new Error("the command is not built: npm run setup");
  const own = inherit ? process.env : { PATH: process.env["PATH"] ?? "" };
  const stdio = ["pipe", "pipe", "pipe", ...(node.length > 0 ? ["ipc"] : [])];
  return spawn(process.execPath, [...node, COMMAND, ...args], { env: { ...own, ...env }, cwd, stdio });
}

/**
 * Resolves to the address of a server once its startup output is complete; rejects if it exits before.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<string>}
 */
export function addressOf(child) {
  return new Promise((resolve, reject) => {
    let output = "";
    const hear = (piece) => {
      output += piece;
      const [, address] = /answers at (http:\S+)[\s\S]*Ctrl-C/.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("close", () => reject(new Error(`the server exited with: ${output}`)));
  });
}
