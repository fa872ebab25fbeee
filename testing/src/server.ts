// The built `assay serve` as a process of its own, to be asked over HTTP, stopped and killed.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { addressOf, spawnAssay } from "./spawn.mjs";

/** A server that runs. */
export interface AssayServer {
  /** Where it answers. */
  readonly url: string;
  /** Its data directory. */
  readonly data: string;
  readonly child: ChildProcess;
  /** What it has written to its standard error. */
  readonly complaints: () => string;
  /** What it has written to either stream. */
  readonly said: () => string;
  /** Ends it with a signal (SIGTERM), and resolves when it has ended. */
  readonly stop: (signal?: "SIGTERM" | "SIGKILL") => Promise<void>;
  /** Its exit code, once it has ended; null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** How a server is not like others. */
export interface ServerOptions {
  /** Arguments besides the directory and the port. */
  readonly args?: readonly string[];
  /** Variables of its environment besides PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the environment of the tests is its own too. Default: only PATH. */
  readonly inherit?: boolean;
  /** The folder it runs in. */
  readonly cwd?: string;
  /** For Node: with an `--import` the process can also be sent messages. */
  readonly node?: readonly string[];
  /** What serves. Default `serve`. */
  readonly command?: "serve" | "demo";
  /** Default: one that is free. */
  readonly port?: string;
}

/** Serves a data directory, and resolves when it answers. */
export async function startAssay(data: string, options: ServerOptions = {}): Promise<AssayServer> {
  const { args = [], command = "serve", port = "0", ...place } = options;
  const child = spawnAssay([command, "--data", data, "--port", port, ...args], place);
  const ended = once(child, "close").then(([exitCode]) => exitCode as number | null);
  child.stdin.end();
  let [said, complaints] = ["", ""];
  child.stdout.on("data", (piece: Buffer) => {
    said += piece;
  });
  child.stderr.on("data", (piece: Buffer) => {
    said += piece;
    complaints += piece;
  });
  return {
    url: await addressOf(child),
    data,
    child,
    complaints: () => complaints,
    said: () => said,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await ended;
    },
    ended,
  };
}

/** What a server of a test may be told. */
export interface TestServerOptions extends Pick<ServerOptions, "env"> {
  /** Default: a folder of its own, which goes with it. */
  readonly data?: string;
  /** Called with what ends the server. Default: when the test has finished. */
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
