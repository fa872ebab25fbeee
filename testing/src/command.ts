// The built command as people run it: its files, its arguments, what it writes and the code it ends with.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { COMMAND, spawnAssay } from "./spawn.mjs";

/** How a run ended, and what it wrote. */
export interface Ended {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a run is not like others. */
export interface RunOptions {
  readonly stdin?: string;
  /** Variables of its environment besides PATH. */
  readonly env?: { readonly [name: string]: string };
  /** The folder it runs in. */
  readonly cwd?: string;
  /** Milliseconds after which its process is killed. Default 30,000. */
  readonly timeout?: number;
}

const TIMEOUT = 30_000;

/**
 * Runs the command with these arguments to its end, after all other runs of this file and in the same process, which has
 * loaded it already: a run costs a tenth of what a process of its own does. For all that starts, ends by a signal or
 * stays, there is `assayProcess`.
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
    throw new Error(`the process of assay ${args.join(" ")} ended`);
  } finally {
    clearTimeout(late);
    over.abort();
  }
}

function startSession(): ChildProcess {
  const file = fileURLToPath(new URL("command-session.mjs", import.meta.url));
  const child = fork(file, { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  // It ends when its parent does, and keeps nobody waiting.
  child.unref();
  child.channel?.unref();
  return child;
}

/** Runs the command with these arguments to its end, in a process of its own. */
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
  // A command that ends before it has read everything is judged by its exit code.
  child.stdin.on("error", () => {}).end(stdin);
  const [exitCode] = (await once(child, "close")) as [number | null];
  clearTimeout(late);
  return { exitCode, ...text };
}
