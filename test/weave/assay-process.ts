// The built `assay serve` as a process of its own, to be asked over HTTP, stopped and killed.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { COMMAND } from "../built/command.ts";

/** A server that runs. */
export interface AssayProcess {
  /** Where it answers. */
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has written to its standard error. */
  readonly complaints: () => string;
  /** Ends it with a signal, and resolves when it has ended. */
  readonly stop: (signal: "SIGTERM" | "SIGKILL") => Promise<void>;
}

/** Starts `assay serve` on a data directory with further options, and waits until it says where it answers. */
export async function startAssay(
  directory: string,
  env: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
  /** For Node: with an `--import` the process can also be sent messages. */
  node: readonly string[] = [],
): Promise<AssayProcess> {
  const child = spawn(
    process.execPath,
    [...node, COMMAND, "serve", "--data", directory, "--port", "0", ...options],
    {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      stdio: ["ignore", "pipe", "pipe", ...(node.length > 0 ? ["ipc" as const] : [])],
    },
  );
  const ended = once(child, "close");
  let [output, complaints] = ["", ""];
  child.stderr!.on("data", (piece: Buffer) => {
    complaints += piece;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on("data", (piece: Buffer) => {
      output += piece;
      const found = /answers at (http:\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`assay serve ended with: ${output}${complaints}`)));
  });
  return {
    url,
    child,
    complaints: () => complaints,
    async stop(signal) {
      child.kill(signal);
      await ended;
    },
  };
}
