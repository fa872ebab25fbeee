// One run of the command, from its arguments to its exit code.

import { CommanderError } from "commander";
import { program } from "./program.ts";
import { type CliContext, log } from "./terminal/cli-context.ts";
import { EXIT, explained } from "./terminal/failure.ts";

/** Runs the command with these arguments (without `node` and the script). Never rejects. */
export async function run(context: CliContext, args: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.ok;
  let command = "";
  try {
    const assay = program(context, (code) => {
      exitCode = code;
    }).hook("preAction", (_, action) => {
      command = action.name();
      if (SERVERS.has(command)) context.outliveOutput?.();
    });
    // The completion library is only loaded when a shell asks for completions.
    if (args[0] === "complete") (await import("@bomb.sh/tab/commander")).default(assay);
    // Commander's own help command ignores the name of a subcommand.
    const [first, ...named] = args;
    const asked = first === "help" && named.length > 1 ? [...named, "--help"] : args;
    const done = assay.parseAsync(asked, { from: "user" });
    if (!(await endsInTime(context.signal, done, () => ORDERLY.has(command))))
      return stoppedCode(context.signal) ?? EXIT.failed;
    return SERVICES.has(command) ? exitCode : (stoppedCode(context.signal) ?? exitCode);
  } catch (error) {
    // A command that was interrupted while reading its input ended before it started a service.
    const isBroken = error instanceof Error && error.name === "AbortError";
    const stopped = SERVICES.has(command) && !isBroken ? undefined : stoppedCode(context.signal);
    // An error after the command was told to stop needs no explanation.
    if (stopped !== undefined) return stopped;
    // The command line has reported the error already; a request for help is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { message, exitCode: failed } = explained(error);
    log(context, `assay: ${message}`);
    if (context.env["ASSAY_DEBUG"] === "1") log(context, stackOf(error));
    return failed;
  }
}

/** Commands that other programs rely on, even if no one reads their output. */
const SERVERS: ReadonlySet<string> = new Set(["serve", "demo", "worker"]);

/** Commands that run until they are told to stop, which is not an interruption for them. */
const SERVICES: ReadonlySet<string> = new Set([...SERVERS, "chat", "mcp"]);

/** Commands that end in an orderly way when they are told to stop, and keep their progress. */
const ORDERLY: ReadonlySet<string> = new Set([...SERVICES, "import", "watch", "sft", "rl"]);

/** The exit code of a program ended by a signal, by the convention of shells: 128 and the signal's number. */
const SIGNALS: ReadonlyMap<unknown, number> = new Map([
  ["SIGINT", 130],
  ["SIGTERM", 143],
]);

function stoppedCode({ aborted, reason }: AbortSignal): number | undefined {
  return aborted ? SIGNALS.get(reason) : undefined;
}

/** How many milliseconds any other command has to clean up. */
const GRACE = 2000;

/** Waits for a command; false if it was told to stop, is not one of the orderly ones, and continues regardless. */
async function endsInTime(
  signal: AbortSignal,
  done: Promise<unknown>,
  orderly: () => boolean,
): Promise<boolean> {
  const ended = done.then(() => true);
  // Either awaited below, or no longer awaited at all.
  ended.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    const begin = (): void => {
      // Which command it is may be unknown until its settings were read.
      timer = setTimeout(() => orderly() || resolve(false), GRACE);
    };
    if (signal.aborted) begin();
    else signal.addEventListener("abort", begin, { once: true });
  });
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The stacks of an error and its causes. */
function stackOf(error: unknown): string {
  const stacks: string[] = [];
  for (let at: unknown = error; at instanceof Error && stacks.length < 10; at = at.cause) {
    stacks.push(at.stack ?? at.message);
  }
  return stacks.join("\ncaused by ");
}
