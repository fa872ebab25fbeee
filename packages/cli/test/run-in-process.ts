// Runs the command in this process, in a folder of its own, and returns its output and exit code.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { run } from "../src/run.ts";

/** The result of a run. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a run. */
export interface RunOptions {
  readonly env?: { readonly [name: string]: string };
  readonly stdin?: string;
  /** Columns of the terminal; none by default, as in a pipe. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** Called with the pieces of stdout and stderr as they are written. */
  readonly onOutput?: (text: string) => void;
  readonly onError?: (text: string) => void;
}

/** The repository: it contains the examples that the command ships with. */
const FILES = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs the command to its end. */
export async function assay(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const {
    env = {},
    stdin = "",
    columns,
    signal = new AbortController().signal,
    onOutput = () => {},
    onError = () => {},
  } = options;
  const [out, err] = [collector(onOutput, columns), collector(onError, columns)];
  const exitCode = await run(
    {
      env,
      stdin: Readable.from([Buffer.from(stdin)]),
      stdout: { stream: out.stream, columns },
      stderr: { stream: err.stream, columns },
      signal,
      files: FILES,
      command: "assay",
    },
    args,
  );
  return { exitCode, stdout: out.text(), stderr: err.text() };
}

function collector(onText: (text: string) => void, columns: number | undefined) {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      onText(text);
      done();
    },
  });
  Object.assign(stream, columns !== undefined && { isTTY: true, columns });
  return { stream, text: () => text };
}

/** A new folder, deleted after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "assay-cli-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
