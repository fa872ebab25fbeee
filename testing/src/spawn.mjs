// Starts the built command as a process of its own: what people run. In plain JavaScript, as scripts do so too.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built command's file. */
export const COMMAND = fileURLToPath(new URL("../../packages/cli/bundle/assay.js", import.meta.url));

/**
 * Starts the command with these arguments, its streams piped. Of the environment of whoever starts it, it has the PATH, or
 * all of it where it is to `inherit`. `node` is for Node itself: with an `--import` the process can also be sent messages.
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
 * Resolves to the address of a server once it has said all that it says at its start; rejects when it ends before.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<string>}
 */
export function addressOf(child) {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (piece) => {
      said += piece;
      const [, address] = /answers at (http:\S+)[\s\S]*Ctrl-C/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("close", () => reject(new Error(`the server ended with: ${said}`)));
  });
}
