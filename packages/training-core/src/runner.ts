// The runner: takes jobs, has them trained, and tells how it goes. The one place where pure meets impure; no
// branch in it depends on what a job is.

import { Fault } from "@assay/base";
import { stopOf, WORK } from "./bell.ts";
import { awaitTask } from "./claim.ts";
import type { Trainer, TrainingTask } from "./ports/trainer.ts";
import { readWorkerMessage, type WorkerMessage } from "./ports/worker-message.ts";
import { reap, recover } from "./reap.ts";
import { type Acknowledgement, type Report, report } from "./report.ts";
import type { Training } from "./training.ts";

/** How a runner works. */
export interface RunnerOptions {
  /** The service whose jobs are run. */
  readonly training: Training;
  /** What trains them. */
  readonly trainer: Trainer;
  /** The name under which jobs are taken; one per service. When it starts, jobs it had before are lost. `local`. */
  readonly worker?: string;
  /** How many jobs are trained at once, each of another model. 1. */
  readonly slots?: number;
  /** How long a trainer may take to stop, in milliseconds, before it is left to itself. 10,000. */
  readonly graceMs?: number;
  /** How long a job may go without a new event, in milliseconds, before it fails. 30 minutes. */
  readonly stallMs?: number;
  /** Told what went wrong inside, which no client is shown. Nothing by default. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Runs until `signal` is aborted, then stops its trainers, gives their jobs back and resolves. It takes up what
 * an earlier one left behind, trains what is queued and looks after jobs everywhere. Storage that fails is told
 * to `onError` and tried again.
 */
export async function run(options: RunnerOptions, signal: AbortSignal): Promise<void> {
  const { training, trainer, slots = 1, worker = "local", onError = () => {} } = options;
  const { bell, policy } = training;
  let recovered = false;

  const keeping = (async () => {
    while (!signal.aborted) {
      try {
        if (!recovered) {
          await recover(training, worker);
          recovered = true;
          bell.ring(WORK);
        }
        await reap(training);
      } catch (error) {
        onError(error);
      }
      await pause(training, policy.heartbeatMs, signal);
    }
  })();

  const accepts = trainer.accepts.bind(trainer);
  const working = Array.from({ length: slots }, async () => {
    while (!signal.aborted) {
      try {
        if (recovered) {
          const task = await awaitTask(training, { worker, accepts }, policy.heartbeatMs, signal);
          if (task !== undefined) await train(options, task, signal);
        } else await bell.heard(WORK, policy.heartbeatMs, signal);
      } catch (error) {
        onError(error);
        await pause(training, policy.heartbeatMs, signal);
      }
    }
  });
  await Promise.all([keeping, ...working]);
}

/** Has one task trained, to its end or until it has to stop. Throws only what the store throws. */
async function train(options: RunnerOptions, task: TrainingTask, signal: AbortSignal): Promise<void> {
  const { training, onError = () => {} } = options;
  const { job_id: jobId, attempt } = task;
  const stopping = new AbortController();
  const over = new AbortController();
  const halt = AbortSignal.any([signal, stopping.signal]);

  const tell: Tell = async (said) => {
    const heard = await report(training, jobId, attempt, said);
    if (heard === undefined || heard.stop) stopping.abort();
    return heard;
  };
  const beating = heartbeat(options, task, tell, stopping, over.signal);
  try {
    const end = await follow(options, task, halt, tell);
    if (end === "told") return;
    if (halt.aborted) await tell({ type: "stopped" });
    else if (end === "silent") {
      await tell({
        type: "failed",
        code: "trainer_ended",
        message: "the trainer ended without a result",
        retryable: true,
      });
    } else {
      onError(end.broke);
      await tell(failureOf(end.broke));
    }
  } finally {
    // Also stops a trainer that is left to itself because the store has failed.
    stopping.abort();
    over.abort();
    await beating;
  }
}

type Tell = (said: Report) => Promise<Acknowledgement | undefined>;

/**
 * Passes on what the trainer says, until its last word (`told`), its end without one (`silent`), or an error of
 * its own (`broke`). When told to stop, the trainer is given a while to do so; what it says then is not news,
 * unless it is that it is done.
 */
async function follow(
  { training, trainer, graceMs = 10_000, onError = () => {} }: RunnerOptions,
  task: TrainingTask,
  halt: AbortSignal,
  tell: Tell,
): Promise<"told" | "silent" | { readonly broke: unknown }> {
  const messages = spoken(trainer, task, halt);
  const next = () =>
    messages.next().then(
      (result): WorkerMessage | "silent" | { readonly broke: unknown } =>
        result.done === true ? "silent" : result.value,
      (error: unknown) => ({ broke: error }),
    );
  const patience = graceAfter(training, halt, graceMs);
  try {
    for (;;) {
      const said = await Promise.race([next(), patience.over]);
      if (said === "silent" || "broke" in said) return said;
      if (halt.aborted && said.type !== "done") continue;
      const failure = await passOn(said, tell);
      if (failure !== undefined) await tell({ type: "failed", code: "protocol", message: failure });
      if (failure !== undefined || said.type === "done" || said.type === "failed") return "told";
    }
  } finally {
    patience.cancel();
    // Lets a generator clean up after itself. Not waited for: it may never come back.
    messages.return(undefined).catch(onError);
  }
}

/** What the trainer says. An error that it throws before its first word is one like any other. */
async function* spoken(
  trainer: Trainer,
  task: TrainingTask,
  halt: AbortSignal,
): AsyncGenerator<WorkerMessage> {
  yield* trainer.train(task, halt);
}

/** Tells one message; resolves to what is wrong when it makes no sense, in itself or in its place. */
async function passOn(said: WorkerMessage, tell: Tell): Promise<string | undefined> {
  const read = readWorkerMessage(said);
  if (!read.ok) return `the trainer's message cannot be read: ${read.issues[0]?.message}`;
  const heard = await tell(read.value);
  if (heard?.verdict !== "out_of_order" && heard?.verdict !== "invalid_state") return undefined;
  return `the trainer said ${said.type} out of turn, after ${heard.job.steps} steps`;
}

/** Resolves `over` to `silent` when `ms` milliseconds have passed since `signal` was aborted. */
function graceAfter(
  { clock }: Training,
  signal: AbortSignal,
  ms: number,
): { readonly over: Promise<"silent">; readonly cancel: () => void } {
  let cancelTimer = () => {};
  let begin = () => {};
  const over = new Promise<"silent">((resolve) => {
    begin = () => {
      cancelTimer = clock.after(ms, () => resolve("silent"));
    };
    if (signal.aborted) begin();
    else signal.addEventListener("abort", begin, { once: true });
  });
  const cancel = () => {
    signal.removeEventListener("abort", begin);
    cancelTimer();
  };
  return { over, cancel };
}

/** Says every so often that the job is worked on, and hears when it is to stop, until `over`. */
async function heartbeat(
  { training, stallMs = 30 * 60_000, onError = () => {} }: RunnerOptions,
  { job_id: jobId }: TrainingTask,
  tell: Tell,
  stopping: AbortController,
  over: AbortSignal,
): Promise<void> {
  const { clock, policy, bell } = training;
  let version = -1;
  let silent = 0;
  while (!over.aborted) {
    const before = clock.now();
    await bell.heard(stopOf(jobId), policy.heartbeatMs, over);
    if (over.aborted) return;
    try {
      const heard = await tell({ type: "heartbeat" });
      // However far the clock went meanwhile: a machine that was suspended is no trainer that stands still.
      silent += Math.min(Math.max(clock.now() - before, 0), policy.heartbeatMs);
      if (heard?.job.version !== version) silent = 0;
      version = heard?.job.version ?? -1;
      if (silent < stallMs) continue;
      // A process that lives is not a trainer that works.
      const message = `the trainer said nothing for ${Math.round(silent / 1000)} seconds`;
      await tell({ type: "failed", code: "trainer_stalled", message });
      stopping.abort();
    } catch (error) {
      onError(error);
    }
  }
}

/** What a client is told when a trainer throws: a fault's own words, and nothing of any other error. */
function failureOf(error: unknown): Report {
  if (error instanceof Fault) {
    return { type: "failed", code: "trainer_failed", message: error.message, retryable: error.retryable };
  }
  return { type: "failed", code: "trainer_failed", message: "the trainer broke off with an internal error" };
}

async function pause(training: Training, ms: number, signal: AbortSignal): Promise<void> {
  await training.bell.heard("pause", ms, signal);
}
