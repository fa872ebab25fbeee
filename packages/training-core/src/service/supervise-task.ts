// Supervises one training task: runs it and reports its progress to the owner of the job, in this process or remotely.

import { Fault } from "@assay/base";
import type { JobState } from "../job/job.ts";
import type { Verdict } from "../job/transition.ts";
import { readWorkerMessage, type WorkerMessage } from "../job/worker-message.ts";
import { linkedController } from "../linked-controller.ts";
import type { Clock } from "../ports/clock.ts";
import type { Trainer, TrainingTask } from "../ports/trainer.ts";
import { type ChangeNotifier, changeNotifier, stopOf } from "../state/change-notifier.ts";
import type { WorkerReport } from "../worker/report.ts";

/** The reply of the job's owner to a report. */
export interface ReportReply {
  /** The verdict on the report. */
  readonly verdict: Verdict;
  /** Whether to stop. */
  readonly stop: boolean;
  /** The job's current state. */
  readonly state: JobState;
  /** The number of known steps of the job. */
  readonly steps: number;
}

/** Options for supervising a task. */
export interface SuperviseOptions {
  /** The trainer. */
  readonly trainer: Trainer;
  /** The task. */
  readonly task: TrainingTask;
  /** Passes a report to the owner of the job; resolves to undefined if the job no longer exists. */
  readonly tell: (message: WorkerReport) => Promise<ReportReply | undefined>;
  /** The clock. */
  readonly clock: Clock;
  /** Notified when the job should stop, without waiting for the next heartbeat. Default: never notified. */
  readonly changes?: Pick<ChangeNotifier, "wait">;
  /** How often to send a heartbeat, in milliseconds. */
  readonly heartbeatMs: number;
  /** How many milliseconds the trainer may take to stop before it is abandoned. Default 10,000. */
  readonly graceMs?: number | undefined;
  /** How many milliseconds the job may go without news before it fails. Default 30 minutes. */
  readonly stallMs?: number | undefined;
  /** Called with internal errors, which are not shown to clients. Default: ignored. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Runs the task until it ends or must stop because `signal` is aborted or because the reply to a report requests it.
 * Reports the end in every case. Throws only what `tell` throws.
 */
export async function superviseTask(options: SuperviseOptions, signal: AbortSignal): Promise<void> {
  const { onError = () => {} } = options;
  const stopping = linkedController(signal);
  const { signal: halt } = stopping;
  const over = new AbortController();

  const tell: Tell = async (message) => {
    const reply = await options.tell(message);
    if (reply === undefined || reply.stop) stopping.abort();
    return reply;
  };
  const beating = heartbeat(options, tell, stopping, over.signal);
  try {
    const end = await follow(options, halt, tell);
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
    // Also stops an abandoned trainer after a failure of the store.
    stopping.abort();
    over.abort();
    await beating;
  }
}

type Tell = SuperviseOptions["tell"];

/**
 * Passes on the trainer's messages, until its last one (`told`), its end without one (`silent`), or an error that it
 * throws (`broke`). A trainer that is told to stop has a grace period to do so; its messages are then ignored, except
 * for `done`.
 */
async function follow(
  { trainer, task, clock, graceMs = 10_000, onError = () => {} }: SuperviseOptions,
  halt: AbortSignal,
  tell: Tell,
): Promise<"told" | "silent" | { readonly broke: unknown }> {
  const messages = trainerMessages(trainer, task, halt);
  const next = () =>
    messages.next().then(
      (result): WorkerMessage | "silent" | { readonly broke: unknown } =>
        result.done === true ? "silent" : result.value,
      (error: unknown) => ({ broke: error }),
    );
  const patience = graceAfter(clock, halt, graceMs);
  try {
    for (;;) {
      const received = await Promise.race([next(), patience.over]);
      if (received === "silent" || "broke" in received) return received;
      if (halt.aborted && received.type !== "done") continue;
      const failure = await passOn(received, tell);
      if (failure !== undefined) await tell({ type: "failed", code: "protocol", message: failure });
      if (failure !== undefined || received.type === "done" || received.type === "failed") return "told";
    }
  } finally {
    patience.cancel();
    // Lets a generator clean up. Not awaited, because it may never return.
    messages.return(undefined).catch(onError);
  }
}

/** The trainer's messages. An error that it throws before its first message is treated like any other. */
async function* trainerMessages(
  trainer: Trainer,
  task: TrainingTask,
  halt: AbortSignal,
): AsyncGenerator<WorkerMessage> {
  yield* trainer.train(task, halt);
}

/** Reports one message; resolves to the reason if it is invalid, by itself or at this point. */
async function passOn(message: WorkerMessage, tell: Tell): Promise<string | undefined> {
  const read = readWorkerMessage(message);
  if (!read.ok) return `cannot read the trainer's message: ${read.issues[0]?.message}`;
  const reply = await tell(read.value);
  if (reply?.verdict !== "out_of_order" && reply?.verdict !== "invalid_state") return undefined;
  return `the trainer sent ${message.type} out of order, after ${reply.steps} steps`;
}

/** Resolves `over` to `silent` when `ms` milliseconds have passed since `signal` was aborted. */
function graceAfter(
  clock: Clock,
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

/** Sends heartbeats and learns from the replies when to stop, until `over`. */
async function heartbeat(
  {
    task,
    clock,
    changes = changeNotifier(clock),
    heartbeatMs,
    stallMs = 30 * 60_000,
    onError = () => {},
  }: SuperviseOptions,
  tell: Tell,
  stopping: AbortController,
  over: AbortSignal,
): Promise<void> {
  let news = "";
  let silent = 0;
  while (!over.aborted) {
    const before = clock.now();
    await changes.wait(stopOf(task.job_id), heartbeatMs, over);
    if (over.aborted) return;
    try {
      const reply = await tell({ type: "heartbeat" });
      // Adds a limited time even if the clock jumped: a suspended machine does not mean a stalled trainer.
      silent += Math.min(Math.max(clock.now() - before, 0), heartbeatMs);
      const newest = `${reply?.state} ${reply?.steps}`;
      if (newest !== news) silent = 0;
      news = newest;
      if (silent < stallMs) continue;
      // A live process is not necessarily making progress.
      const message = `the trainer sent nothing for ${Math.round(silent / 1000)} seconds`;
      await tell({ type: "failed", code: "trainer_stalled", message });
      stopping.abort();
    } catch (error) {
      onError(error);
    }
  }
}

/** The message for clients when a trainer throws: the text of a fault; other errors are not revealed. */
function failureOf(error: unknown): WorkerReport {
  if (error instanceof Fault) {
    return { type: "failed", code: "trainer_failed", message: error.message, retryable: error.retryable };
  }
  return { type: "failed", code: "trainer_failed", message: "the trainer stopped with an internal error" };
}
