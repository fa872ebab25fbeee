// The built command run many times in one process: for documents, whose commands come one after the other. A run costs a
// tenth of what a process of its own does. What reads the standard input or serves has to have its own.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { COMMAND, type Ended, type RunOptions } from "./command.ts";

/** A process that runs the command. */
export interface CommandSession {
  /** Runs the command with these arguments to its end. */
  readonly assay: (
    args: readonly string[],
    options: Required<Pick<RunOptions, "cwd">> & Pick<RunOptions, "env">,
  ) => Promise<Ended>;
  /** Ends the process. */
  readonly close: () => Promise<void>;
}

/** Starts the process. */
export function commandSession(): CommandSession {
  const file = fileURLToPath(new URL("command-session.mjs", import.meta.url));
  const child = fork(file, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const ended = once(child, "exit");
  return {
    assay: async (args, { cwd, env = {} }) => {
      child.send({ command: COMMAND, args, cwd, env: { PATH: process.env["PATH"] ?? "", ...env } });
      const answer = await Promise.race([once(child, "message"), ended.then(() => undefined)]);
      if (answer === undefined) throw new Error(`the process of assay ${args.join(" ")} ended`);
      return answer[0] as Ended;
    },
    close: async () => {
      // The runs listen to the gentler signals, and nothing is left to be done.
      child.kill("SIGKILL");
      await ended;
    },
  };
}
