// Processes of the tests: started, waited for until they say something, and ended.

import { spawn } from "node:child_process";
import { once } from "node:events";

/** A process that runs. */
export interface Running {
  /** What `pattern` found in its output. */
  readonly found: string;
  /** All that it wrote so far. */
  output(): string;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
}

/** Starts a program, and resolves when its output has `pattern`, whose first group is what is found. */
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
    void ended.then(([code]) => reject(new Error(`${program} ended with ${code}: ${output}`)));
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
