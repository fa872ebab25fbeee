// The trainer that starts a command for each task, which reports on file descriptor 3. However the command ends, the
// job ends too, with a named reason.

import { join } from "node:path";
import type { Clock, Trainer, TrainingKind, TrainingTask, WorkerMessage } from "@assay/training-core";
import { checkProgram } from "./check-program.ts";
import { type Child, type Ending, startChild } from "./child.ts";
import { logFile } from "./log-file.ts";
import { messageLines } from "./message-lines.ts";
import { type JobFiles, type WorkFolder, workFolder } from "./work-folder.ts";

/** How to train with a command. */
export interface ProcessTrainerOptions {
  /** The program and its arguments. It starts in the folder of its run, which is also in `ASSAY_WORK_DIR`. */
  readonly command: readonly [string, ...string[]];
  /** The rest of its environment. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether the command can train this. Default: everything. */
  readonly accepts?: ((work: TrainingKind) => boolean) | undefined;
  /** The store of jobs' and checkpoints' files. */
  readonly artifacts: JobFiles;
  /** A folder for `runs/` (one folder per active run) and `logs/` (`<job>-<attempt>.log`). */
  readonly folder: string;
  /** The clock. */
  readonly clock: Clock;
  /** How many milliseconds the command may be silent before it is stopped. Default 60,000. */
  readonly silenceMs?: number | undefined;
  /** How many milliseconds it may take to stop before it is killed. Default 5,000. */
  readonly graceMs?: number | undefined;
  /** The approximate bytes of each run's log to keep. Default 1 MiB. */
  readonly logBytes?: number | undefined;
  /** The number of runs whose logs are kept. Default 100. */
  readonly logRuns?: number | undefined;
}

/**
 * Trains by starting a command for each task. Besides the command's own codes, jobs fail with `worker_not_started`,
 * `worker_exited`, `worker_killed`, `worker_ended` (without a result), `worker_hung`, `worker_garbage` and
 * `worker_files`. Possibly temporary failures are retried: see `failureOf`.
 */
export function processTrainer(options: ProcessTrainerOptions): Trainer {
  const { accepts = () => true, artifacts, folder, clock, graceMs = 5000 } = options;
  const { logBytes = 2 ** 20, logRuns = 100, env = process.env } = options;

  return {
    accepts,
    check: () => checkProgram(options.command[0], env["PATH"]),
    async *train(task, signal) {
      const work = await workFolder(join(folder, "runs"), task, artifacts, signal);
      try {
        const log = await logFile(join(folder, "logs"), logName(task), { logBytes, logRuns });
        if (signal.aborted) return await log.close();
        const child = startChild({
          command: options.command,
          env: { ...env, ASSAY_WORK_DIR: work.path },
          cwd: work.path,
          log,
          clock,
          graceMs,
        });
        try {
          yield* conversation(options, child, work, signal);
        } finally {
          await child.stop();
        }
      } finally {
        await work.remove();
      }
    },
  };
}

/** The child's messages, followed by the reason for its end, unless it reported that itself. */
async function* conversation(
  { clock, silenceMs = 60_000 }: ProcessTrainerOptions,
  child: Child,
  work: WorkFolder,
  signal: AbortSignal,
): AsyncGenerator<WorkerMessage, void> {
  let hung = false;
  const stop = () => void child.stop();
  // Only while someone reads: a child whose messages are not read is not silent.
  const listening = async <T>(next: Promise<T>): Promise<T> => {
    const cancel = clock.after(silenceMs, () => {
      hung = true;
      stop();
    });
    return next.finally(cancel);
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    const lines = messageLines(child.messages);
    for (;;) {
      const line = await listening(lines.next());
      if (signal.aborted || hung || line.done === true) break;
      if (!line.value.ok) {
        const message = `the worker's message cannot be read: ${line.value.issues[0]?.message}`;
        return yield { type: "failed", code: "worker_garbage", message };
      }
      const message = line.value.value;
      const wrong = message.type === "done" ? await work.take(message.files ?? []) : undefined;
      if (wrong !== undefined) return yield { type: "failed", code: "worker_files", message: wrong };
      const last = message.type === "done" || message.type === "failed";
      // Reading stops with the last message, so that the worker may clean up and finish its log before.
      if (last) await child.leave();
      yield message;
      if (last) return;
    }
    const ending = await listening(child.ended);
    if (!signal.aborted) yield hung ? silence(silenceMs) : failureOf(ending);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function silence(ms: number): WorkerMessage {
  const message = `the worker sent nothing for ${Math.round(ms / 1000)} seconds`;
  return { type: "failed", code: "worker_hung", message, retryable: true };
}

/** The exit code of a temporary failure: EX_TEMPFAIL of sysexits.h. */
const TRY_AGAIN = 75;

/** What to report if a child ended without reporting it. */
function failureOf(ending: Ending): WorkerMessage {
  if ("error" in ending) {
    const message = `the worker cannot be started: ${ending.error}`;
    return { type: "failed", code: "worker_not_started", message };
  }
  if ("signal" in ending) {
    // By hand, by a system out of memory, or by one that reclaims its machine.
    const message = `the worker was killed by ${ending.signal}`;
    return { type: "failed", code: "worker_killed", message, retryable: true };
  }
  if (ending.exit === 0) {
    const message = "the worker ended without a result";
    return { type: "failed", code: "worker_ended", message, retryable: true };
  }
  const message = `the worker ended with exit code ${ending.exit}`;
  return { type: "failed", code: "worker_exited", message, retryable: ending.exit === TRY_AGAIN };
}

function logName({ job_id, attempt }: TrainingTask): string {
  return `${job_id.replace(/[^A-Za-z0-9-]/g, "_").slice(0, 64)}-${attempt}`;
}
