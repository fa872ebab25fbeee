// One run of the command, from its arguments to its exit code.

import { CommanderError } from "commander";
import { EXIT, explained } from "./failure.ts";
import { program } from "./program.ts";
import { say, type World } from "./world.ts";

/** Runs the command with these arguments (without `node` and the script). Never rejects. */
export async function run(world: World, args: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.ok;
  try {
    await program(world, (code) => {
      exitCode = code;
    }).parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    // The command line has said what is wrong already; asking for help is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { message, exitCode: failed } = explained(error);
    say(world, `assay: ${message}`);
    if (world.env["ASSAY_DEBUG"] === "1") say(world, stackOf(error));
    return failed;
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
