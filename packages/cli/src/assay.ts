#!/usr/bin/env node
// The assay command: passes the process's arguments, streams and signals to a run, and exits with its code.

import { dirname, relative, sep } from "node:path";
import type { WriteStream } from "node:tty";
import { fileURLToPath } from "node:url";
import { run } from "./run.ts";
import type { Output } from "./terminal/cli-context.ts";
import { explained } from "./terminal/failure.ts";

function output(stream: NodeJS.WriteStream): Output {
  return { stream, columns: stream.isTTY ? (stream as WriteStream).columns || 80 : undefined };
}

let outlivesOutput = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (outlivesOutput) return;
  // A reader may stop early (`assay query … | head`), which ends the command and is not a failure.
  if (error.code === "EPIPE") process.exit(0);
  const { message, exitCode } = explained(Object.assign(error, { path: "standard output" }));
  process.stderr.write(`assay: ${message}\n`);
  process.exit(exitCode);
});
// A command's work matters more than its messages: a full disk of logs must not end a server.
process.stderr.on("error", () => {});

/** A path as seen from the current folder, which may have been removed. */
function fromHere(path: string): string {
  try {
    return relative(process.cwd(), path);
  } catch {
    return path;
  }
}

const here = fileURLToPath(import.meta.url);
const stop = new AbortController();
// The first signal ends the command in an orderly way; a second one kills the process, as without handlers.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort(signal));

const exitCode = await run(
  {
    env: process.env,
    stdin: process.stdin,
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    signal: stop.signal,
    outliveOutput() {
      outlivesOutput = true;
    },
    files: dirname(here),
    // npm adds an installed command to the path; in a clone, there is none.
    command: here.includes(`${sep}node_modules${sep}`) ? "assay" : `node ${fromHere(here)}`,
  },
  process.argv.slice(2),
);
// A command that was told to stop may still be running.
if (stop.signal.aborted) process.exit(exitCode);
process.exitCode = exitCode;
