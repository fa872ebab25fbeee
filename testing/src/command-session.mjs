// Runs the built command many times in one process, so that its modules are loaded only once: only the entry module is
// evaluated for each run, with its own arguments, environment, working directory and standard input. Started by
// command.ts.

import { EventEmitter } from "node:events";
import { Readable } from "node:stream";

// Each run adds listeners to the streams and signals of the process, and removes none.
EventEmitter.defaultMaxListeners = 0;
let runs = 0;

/**
 * Collects the stream's output instead of writing it; the returned function restores the stream and returns the text.
 */
function collect(stream) {
  const { write } = stream;
  const pieces = [];
  stream.write = (chunk, encoding, done) => {
    pieces.push(Buffer.from(chunk));
    (typeof encoding === "function" ? encoding : done)?.();
    return true;
  };
  return () => {
    stream.write = write;
    return Buffer.concat(pieces).toString("utf8");
  };
}

process.once("disconnect", () => process.exit());
process.on("message", async ({ command, args, stdin, env, cwd }) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, command, ...args];
  process.exitCode = undefined;
  const input = Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]);
  Object.defineProperty(process, "stdin", { configurable: true, value: input });
  const [stdout, stderr] = [collect(process.stdout), collect(process.stderr)];
  await import(`file://${command}?run=${++runs}`);
  const ended = { exitCode: process.exitCode, stdout: stdout(), stderr: stderr() };
  process.exitCode = undefined;
  process.send(ended);
});
