// One run of the command, from its arguments to its exit code.

import { CommanderError } from "commander";
import { EXIT, explained } from "./failure.ts";
import { program } from "./program.ts";
import { say, type World } from "./world.ts";

/** Runs the command with these arguments (without `node` and the script). Never rejects. */
export async function run(world: World, args: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.ok;
  let command = "";
  try {
    const assay = program(world, (code) => {
      exitCode = code;
    }).hook("preAction", (_, action) => {
      command = action.name();
    });
    // The library that completes words is loaded when a shell asks, and no sooner.
    if (args[0] === "complete") (await import("@bomb.sh/tab/commander")).default(assay);
    const done = assay.parseAsync(args, { from: "user" });
    if (!(await endsInTime(world.signal, done, () => ORDERLY.has(command))))
      return stoppedCode(world.signal) ?? EXIT.failed;
    return SERVICES.has(command) ? exitCode : (stoppedCode(world.signal) ?? exitCode);
  } catch (error) {
    // What it was told to stop reading has ended a service before it began.
    const isBroken = error instanceof Error && error.name === "AbortError";
    const stopped = SERVICES.has(command) && !isBroken ? undefined : stoppedCode(world.signal);
    // What broke off because it was told to stop needs no explanation.
    if (stopped !== undefined) return stopped;
    // The command line has reported the error already; asking for help is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { message, exitCode: failed } = explained(error);
    say(world, `assay: ${message}`);
    if (world.env["ASSAY_DEBUG"] === "1") say(world, stackOf(error));
    return failed;
  }
}

/** Commands that run until they are told to stop: for them, that is not an interruption. */
const SERVICES: ReadonlySet<string> = new Set(["serve", "demo", "worker", "chat", "mcp"]);

/** Commands that end by themselves when they are told to, with what they have done so far. */
const ORDERLY: ReadonlySet<string> = new Set([...SERVICES, "import", "watch", "sft", "rl"]);

/** What shells say of a program that a signal has ended: 128 and the signal's number. */
const SIGNALS: ReadonlyMap<unknown, number> = new Map([
  ["SIGINT", 130],
  ["SIGTERM", 143],
]);

function stoppedCode({ aborted, reason }: AbortSignal): number | undefined {
  return aborted ? SIGNALS.get(reason) : undefined;
}

/** Milliseconds that any other command has to put away what it has begun. */
const GRACE = 2000;

/** Waits for a command; false when it was told to stop, is not orderly, and goes on regardless. */
async function endsInTime(
  signal: AbortSignal,
  done: Promise<unknown>,
  orderly: () => boolean,
): Promise<boolean> {
  const ended = done.then(() => true);
  // It is waited for below, or not at all any more.
  ended.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    const begin = (): void => {
      // Which command it is may not be known before its settings are read.
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

/** The stack of an error and of what caused it. */
function stackOf(error: unknown): string {
  const stacks: string[] = [];
  for (let at: unknown = error; at instanceof Error && stacks.length < 10; at = at.cause) {
    stacks.push(at.stack ?? at.message);
  }
  return stacks.join("\ncaused by ");
}
