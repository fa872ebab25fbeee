// Runs the built command as users do: with files, arguments, output and an exit code.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { COMMAND, spawnAssay } from "./spawn.mjs";

/** The result of a run. */
export interface Ended {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a run. */
export interface RunOptions {
  readonly stdin?: string;
  /** Environment variables in addition to PATH. */
  readonly env?: { readonly [name: string]: string };
  /** The working directory. */
  readonly cwd?: string;
  /** The timeout in milliseconds, after which the process is killed. Default 30,000. */
  readonly timeout?: number;
}

const TIMEOUT = 30_000;

/**
 * Runs the command with these arguments, after all earlier runs of this file and in the same process, which has already
 * loaded it: a run costs a tenth of a separate process. Use `assayProcess` for commands that start processes, are ended
 * by a signal or keep running.
 */
export function assay(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const run = queue.then(() => runInSession(args, options));
  queue = run.catch(() => {});
  return run;
}

let queue: Promise<unknown> = Promise.resolve();
let session: ChildProcess | undefined;

async function runInSession(
  args: readonly string[],
  { stdin = "", env = {}, cwd = process.cwd(), timeout = TIMEOUT }: RunOptions,
): Promise<Ended> {
  session ??= startSession();
  const child = session;
  const over = new AbortController();
  const late = setTimeout(() => child.kill("SIGKILL"), timeout);
  try {
    child.send({ command: COMMAND, args, stdin, cwd, env: { PATH: process.env["PATH"] ?? "", ...env } });
    const next = (event: string) => once(child, event, { signal: over.signal });
    const answer = await Promise.race([next("message"), next("exit").then(() => undefined)]);
    if (answer !== undefined) return answer[0] as Ended;
    session = undefined;
    throw new Error(`the process of assay ${args.join(" ")} exited`);
  } finally {
    clearTimeout(late);
    over.abort();
  }
}

function startSession(): ChildProcess {
  const file = fileURLToPath(new URL("command-session.mjs", import.meta.url));
  const child = fork(file, { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  // It exits with its parent, and does not keep its parent alive.
  child.unref();
  child.channel?.unref();
  return child;
}

/** Runs the command with these arguments in a separate process. */
export async function assayProcess(
  args: readonly string[],
  { stdin = "", timeout = TIMEOUT, ...place }: RunOptions = {},
): Promise<Ended> {
  const child = spawnAssay(args, place);
  const late = setTimeout(() => child.kill("SIGKILL"), timeout);
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (piece: string) => {
      text[name] += piece;
    });
  // A command may exit before it reads all its input; its exit code decides.
  child.stdin.on("error", () => {}).end(stdin);
  const [exitCode] = (await once(child, "close")) as [number | null];
  clearTimeout(late);
  return { exitCode, ...text };
}
