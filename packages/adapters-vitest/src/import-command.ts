// Runs `assay import`, which reads lines from standard input.

import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs the command to its end. Throws with its output if it did not accept the lines. */
export async function importByCommand(command: readonly string[], lines: string): Promise<void> {
  const [program, ...args] = command;
  const child = spawn(program!, args, { stdio: ["pipe", "ignore", "pipe"] });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    output += piece;
  });
  // If a command ends before it has read everything, its exit code decides.
  child.stdin.on("error", () => {}).end(lines);
  const [exitCode] = (await once(child, "close")) as [number | null];
  if (exitCode !== 0) throw new Error(output.trim() || `${program} exited with ${exitCode}`);
}
