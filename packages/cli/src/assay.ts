#!/usr/bin/env node
// The assay command: gives the process's arguments, streams and signals to a run, and exits with its code.

import { dirname, relative, sep } from "node:path";
import type { WriteStream } from "node:tty";
import { fileURLToPath } from "node:url";
import { run } from "./run.ts";
import type { Output } from "./world.ts";

function output(stream: NodeJS.WriteStream): Output {
  // Who reads what is written may stop reading (`assay query … | head`): that ends the command, and is not a failure.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? 0 : 1);
  });
  return { stream, columns: stream.isTTY ? (stream as WriteStream).columns || 80 : undefined };
}

const here = fileURLToPath(import.meta.url);
const stop = new AbortController();
// The first signal ends the command in order; a second one ends it at once, as a process without handlers would.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort(signal));

const exitCode = await run(
  {
    env: process.env,
    stdin: process.stdin,
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    signal: stop.signal,
    files: dirname(here),
    // Installed, npm has put it on the path; in a clone nothing has.
    command: here.includes(`${sep}node_modules${sep}`) ? "assay" : `node ${relative(process.cwd(), here)}`,
  },
  process.argv.slice(2),
);
// What was told to stop and did not may still be at work.
if (stop.signal.aborted) process.exit(exitCode);
process.exitCode = exitCode;
