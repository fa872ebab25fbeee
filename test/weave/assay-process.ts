// `assay serve` as a process of its own, to be asked over HTTP, stopped and killed.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

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

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

// From source, so that no build is needed and none can be out of date; the built command starts sooner.
const COMMAND =
  process.env["ASSAY_BUILT"] === "1"
    ? [path("../../packages/cli/dist/assay.js")]
    : ["--conditions=@assay/source", "--import", "tsx", path("../../packages/cli/src/assay.ts")];

/** Starts `assay serve` on a data directory, and waits until it says where it answers. */
export async function startAssay(
  directory: string,
  env: Readonly<Record<string, string>> = {},
): Promise<AssayProcess> {
  const child = spawn(process.execPath, [...COMMAND, "serve", "--data", directory, "--port", "0"], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let [output, complaints] = ["", ""];
  child.stderr.on("data", (piece: Buffer) => {
    complaints += piece;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (piece: Buffer) => {
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
