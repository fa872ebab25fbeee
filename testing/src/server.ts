// The built `assay serve` in a separate process, for tests that send requests to it, stop it and kill it.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { addressOf, spawnAssay } from "./spawn.mjs";

/** A running server. */
export interface AssayServer {
  /** Its address. */
  readonly url: string;
  /** Its data directory. */
  readonly data: string;
  readonly child: ChildProcess;
  /** The output to standard error so far. */
  readonly stderr: () => string;
  /** The output to both streams so far. */
  readonly output: () => string;
  /** Sends a signal (default SIGTERM), and resolves when the process has exited. */
  readonly stop: (signal?: "SIGTERM" | "SIGKILL") => Promise<void>;
  /** Its exit code once it has exited; null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Options of a server. */
export interface ServerOptions {
  /** Arguments in addition to the directory and the port. */
  readonly args?: readonly string[];
  /** Environment variables in addition to PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it inherits the environment of the tests. Default: only PATH. */
  readonly inherit?: boolean;
  /** The working directory. */
  readonly cwd?: string;
  /** Arguments for Node.js. With an `--import`, the process has an IPC channel. */
  readonly node?: readonly string[];
  /** The subcommand. Default `serve`. */
  readonly command?: "serve" | "demo";
  /** Default: a free port. */
  readonly port?: string;
}

/** Serves a data directory, and resolves when the server responds. */
export async function startAssay(data: string, options: ServerOptions = {}): Promise<AssayServer> {
  const { args = [], command = "serve", port = "0", ...place } = options;
  const child = spawnAssay([command, "--data", data, "--port", port, ...args], place);
  const ended = once(child, "close").then(([exitCode]) => exitCode as number | null);
  child.stdin.end();
  let [output, stderr] = ["", ""];
  child.stdout.on("data", (piece: Buffer) => {
    output += piece;
  });
  child.stderr.on("data", (piece: Buffer) => {
    output += piece;
    stderr += piece;
  });
  return {
    url: await addressOf(child),
    data,
    child,
    stderr: () => stderr,
    output: () => output,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await ended;
    },
    ended,
  };
}

/** Options of a test's server. */
export interface TestServerOptions extends Pick<ServerOptions, "env"> {
  /** Default: a temporary folder, which is deleted with the server. */
  readonly data?: string;
  /** Called with a function that stops the server. By default the server runs until the test finishes. */
  readonly keep?: (end: () => Promise<void>) => void;
}

/** Serves a data directory until the test ends. */
export async function builtServer(
  args: readonly string[] = [],
  { data, env = {}, keep = onTestFinished }: TestServerOptions = {},
): Promise<AssayServer> {
  const directory = data ?? mkdtempSync(join(tmpdir(), "assay-served-"));
  const server = await startAssay(directory, { args, env });
  keep(async () => {
    await server.stop("SIGKILL");
    if (data === undefined) rmSync(directory, { recursive: true, force: true });
  });
  return server;
}
