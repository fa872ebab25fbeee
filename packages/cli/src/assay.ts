#!/usr/bin/env node
// The assay command: passes the process's arguments, streams and signals to a run, and exits with its code.

import { dirname, relative, sep } from "node:path";
import type { WriteStream } from "node:tty";
import { fileURLToPath } from "node:url";
import { run } from "./run.ts";
import type { Output } from "./terminal/cli-context.ts";

function output(stream: NodeJS.WriteStream): Output {
  // A reader may stop early (`assay query … | head`), which ends the command and is not a failure.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? 0 : 1);
  });
  return { stream, columns: stream.isTTY ? (stream as WriteStream).columns || 80 : undefined };
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
    files: dirname(here),
    // npm puts an installed command on the path; in a clone, nothing does.
    command: here.includes(`${sep}node_modules${sep}`) ? "assay" : `node ${relative(process.cwd(), here)}`,
  },
  process.argv.slice(2),
);
// A command that was told to stop may still be running.
if (stop.signal.aborted) process.exit(exitCode);
process.exitCode = exitCode;
