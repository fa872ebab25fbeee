// A worker of a remote server: claims jobs one after the other, trains them here and reports progress.

import { Fault } from "@assay/base";
import type { Clock, ReportReply, Trainer, TrainingTask, WorkerReport } from "@assay/training-core";
import { backoff, superviseTask } from "@assay/training-core/internal";
import type { JobFiles } from "./work-folder.ts";
import type { ClaimRequest, WorkerClient } from "./worker-client.ts";

/** How a worker works. */
export interface WorkOptions extends ClaimRequest {
  /** The server whose jobs to train. */
  readonly client: WorkerClient;
  /** Creates the trainer of a job, given the location of its files. */
  readonly trainer: (files: JobFiles) => Trainer;
  /** The clock. */
  readonly clock: Clock;
  /** After how many jobs the worker ends. Default: never. */
  readonly jobs?: number | undefined;
  /** How many milliseconds a trainer may take to stop before it is abandoned. Default 10,000. */
  readonly graceMs?: number | undefined;
  /** How many milliseconds a job may go without news before it fails. Default 30 minutes. */
  readonly stallMs?: number | undefined;
  /** How many milliseconds a job continues while the server is unreachable. Default 15 minutes. */
  readonly patienceMs?: number | undefined;
  /** Called with every job that was taken. */
  readonly onTask?: ((task: TrainingTask) => void) | undefined;
  /** Called with failures that are retried. Default: ignored. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** How long a claim waits for a job, in seconds. */
const WAIT_SECONDS = 50;
/** The first and the longest pause between attempts, in milliseconds. */
const PAUSES = { firstMs: 500, longestMs: 15_000 };
/** How often a stopping worker tries to send its last message. */
const MOST_GOODBYES = 3;

/**
 * Works until `signal` is aborted or the requested number of jobs is done. If the server is unreachable, it tries
 * again; if the server refuses the key, it throws the fault `denied`.
 */
export async function runWorker(options: WorkOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, jobs = Number.POSITIVE_INFINITY, onTask = () => {}, onError = () => {} } = options;
  const rest = backoff(clock, PAUSES);
  for (let taken = 0; taken < jobs && !signal.aborted; ) {
    try {
      const { task, heartbeatMs } = await client.claim(options, WAIT_SECONDS, signal);
      rest.reset();
      if (task === undefined) continue;
      taken++;
      onTask(task);
      await train(options, task, heartbeatMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Fault && error.code === "denied") throw error;
      onError(error);
      await rest.pause(signal);
    }
  }
}

/** Trains one task. Throws if the server was unreachable for too long, or refuses the worker. */
async function train(
  options: WorkOptions,
  task: TrainingTask,
  heartbeatMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { client, clock, graceMs, stallMs, onError = () => {} } = options;
  const tell = patiently(options, task, signal, (message) =>
    // Not with `signal`: the last message is that this worker stops.
    client.tell(task, [message], new AbortController().signal),
  );
  const trainer = options.trainer(client.files(task.job_id));
  const kind = { kind: task.spec.kind, baseModel: task.model.base_model };
  if (!trainer.accepts(kind)) {
    const message = `this worker does not train ${kind.kind} jobs of ${kind.baseModel}`;
    await tell({ type: "failed", code: "not_accepted", message, retryable: true });
    return;
  }
  await superviseTask({ trainer, task, tell, clock, heartbeatMs, graceMs, stallMs, onError }, signal);
}

/**
 * Repeats `tell` while the server is unreachable: each report takes effect once, however often it is sent. Heartbeats
 * are not repeated, because the next one follows soon.
 */
function patiently(
  { clock, patienceMs = 15 * 60_000, onError = () => {} }: WorkOptions,
  task: TrainingTask,
  signal: AbortSignal,
  tell: (message: WorkerReport) => Promise<ReportReply>,
): (message: WorkerReport) => Promise<ReportReply | undefined> {
  let last: ReportReply = { verdict: "already", stop: false, state: "starting", steps: task.steps_reported };
  return async (message) => {
    const rest = backoff(clock, PAUSES);
    const since = clock.now();
    for (let goodbyes = 0; ; ) {
      try {
        last = await tell(message);
        return last;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        // The job, or its model, was deleted.
        if (error.code === "missing") return undefined;
        if (signal.aborted) goodbyes++;
        const inVain = clock.now() - since > patienceMs || goodbyes >= MOST_GOODBYES;
        if (!error.retryable || inVain) throw error;
        onError(error);
        if (message.type === "heartbeat") return last;
        await rest.pause(new AbortController().signal);
      }
    }
  };
}
