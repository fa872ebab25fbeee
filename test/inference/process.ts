// Starts processes, waits for a pattern in their output, and stops them.

import { spawn } from "node:child_process";
import { once } from "node:events";

/** A running process. */
export interface Running {
  /** The first group of `pattern` in its output. */
  readonly found: string;
  /** Its output so far. */
  output(): string;
  /** Stops it and waits until it has exited. */
  stop(): Promise<void>;
}

/** Starts a program, and resolves when its output matches `pattern`. */
export async function start(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  pattern: RegExp,
): Promise<Running> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  let output = "";
  const found = await new Promise<string>((resolve, reject) => {
    const read = (piece: Buffer) => {
      output += piece;
      const match = pattern.exec(output);
      if (match !== null) resolve(match[1] ?? "");
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    void ended.then(([code]) => reject(new Error(`${program} exited with ${code}: ${output}`)));
  });
  return {
    found,
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
