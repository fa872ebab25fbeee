// Runs a client as a user would: in a separate process that gets only an address and a key.

import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The result of a client. */
export interface ClientRun {
  /** The JSON that it printed after `RESULT`. */
  readonly result: unknown;
}

/** Runs `program` on a file of this folder, and awaits `paused` each time the client prints `PAUSED`. */
export async function runClient(
  program: string,
  file: string,
  env: Readonly<Record<string, string>>,
  paused: () => Promise<void>,
): Promise<ClientRun> {
  const child = spawn(program, [file], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  let seen = 0;
  let failed: unknown;
  child.stderr.on("data", (piece: Buffer) => {
    output += piece;
  });
  child.stdout.on("data", (piece: Buffer) => {
    output += piece;
    const pauses = output.split("PAUSED\n").length - 1;
    if (pauses <= seen) return;
    seen = pauses;
    paused()
      .catch((error: unknown) => {
        failed = error;
      })
      .finally(() => child.stdin.write("go on\n"));
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (failed !== undefined) throw failed;
  const result = /^RESULT (.*)$/m.exec(output)?.[1];
  if (code !== 0 || result === undefined)
    throw new Error(`the client exited with ${code}:
${output}`);
  return { result: JSON.parse(result) };
}
