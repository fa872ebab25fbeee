// The command as people run it: the built file, in a process of its own. `npm test` builds it first.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The built command's file. */
export const COMMAND: string = fileURLToPath(new URL("../../packages/cli/bundle/assay.js", import.meta.url));

/** How a run ended, and what it wrote. */
export interface Ended {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a run is not like others. */
export interface RunOptions {
  readonly stdin?: string;
  readonly env?: { readonly [name: string]: string };
  /** The folder it runs in. */
  readonly cwd?: string;
  /** Milliseconds after which it is killed. Default 30,000. */
  readonly timeout?: number;
}

/** Runs the command with these arguments to its end. */
export async function assay(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { stdin = "", env = {}, cwd = process.cwd(), timeout = 30_000 } = options;
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    cwd,
    timeout,
    killSignal: "SIGKILL",
  });
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (piece: string) => {
      text[name] += piece;
    });
  // A command that ends before it has read everything is judged by its exit code.
  child.stdin.on("error", () => {}).end(stdin);
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, ...text };
}
