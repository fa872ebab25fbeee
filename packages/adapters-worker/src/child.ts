// A child process that trains: started with a pipe on file descriptor 3, and stopped together with all processes that
// it started.

import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import type { Clock } from "@assay/training-core";
import type { LogFile } from "./log-file.ts";

/** How a child ended: with an exit code, by a signal, or without having started (`error` is the system's code). */
export type Ending = { readonly exit: number } | { readonly signal: string } | { readonly error: string };

/** A running child. */
export interface Child {
  /** Its output on file descriptor 3, until it closes it or is stopped. */
  readonly messages: AsyncIterable<Uint8Array>;
  /** How it ended. Never rejects. */
  readonly ended: Promise<Ending>;
  /** Resolves when it has ended without being stopped, or after the grace period. */
  leave(): Promise<void>;
  /** Requests it to stop, kills it after the grace period, and resolves once it has ended. */
  stop(): Promise<void>;
}

/** How to start a child. */
export interface ChildOptions {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Its whole environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Its working directory. */
  readonly cwd: string;
  /** Where stdout and stderr go. */
  readonly log: LogFile;
  /** Measures the time it takes to stop. */
  readonly clock: Clock;
  /** How many milliseconds it may take to stop before it is killed. */
  readonly graceMs: number;
}

/** Starts a child as the leader of its own process group. */
export function startChild({ command, env, cwd, log, clock, graceMs }: ChildOptions): Child {
  const [program, ...args] = command;
  const process_ = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const pipe = process_.stdio[3] as Readable;
  const logged = [process_.stdout, process_.stderr].map((stream) => keep(stream as Readable, log));

  const ended = new Promise<Ending>((resolve) => {
    process_.once("error", (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? "unknown" }));
    process_.once("exit", (code, signal) =>
      resolve(signal === null ? { exit: code ?? 0 } : { signal: signal as string }),
    );
  });
  const kill = (signal: NodeJS.Signals) => {
    if (process_.pid === undefined) return;
    try {
      process.kill(-process_.pid, signal);
    } catch {
      // The process group is empty.
    }
  };
  // Processes that the child started must not outlive it, nor keep its pipes open.
  void ended.then(() => kill("SIGKILL"));

  const stop = async () => {
    kill("SIGTERM");
    const killing = clock.after(graceMs, () => kill("SIGKILL"));
    await ended;
    killing();
    // No one reads on after stopping a child.
    pipe.destroy();
    const cutting = clock.after(graceMs, () => {
      for (const stream of [process_.stdout, process_.stderr]) stream?.destroy();
    });
    await Promise.all(logged);
    cutting();
    await log.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    messages: piecesOf(pipe),
    ended,
    leave: () =>
      new Promise((resolve) => {
        const cancel = clock.after(graceMs, resolve);
        void ended.then(cancel).then(resolve);
      }),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** The chunks of a stream up to its end, regular or not. */
async function* piecesOf(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of stream.iterator({ destroyOnReturn: false })) yield piece;
  } catch {
    // Cut off: everything written before counts.
  }
}

async function keep(stream: Readable, log: LogFile): Promise<void> {
  for await (const piece of piecesOf(stream)) await log.write(piece);
}
