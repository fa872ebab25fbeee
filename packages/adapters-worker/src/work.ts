// A worker of a server elsewhere: takes its jobs one after the other, trains them here and reports progress.

import { Fault } from "@assay/base";
import type { Clock, ReportReply, Trainer, TrainingTask, WorkerReport } from "@assay/training-core";
import { backoff, superviseTask } from "@assay/training-core/internal";
import type { JobFiles } from "./work-folder.ts";
import type { Wish, WorkerClient } from "./worker-client.ts";

/** How a worker works. */
export interface WorkOptions extends Wish {
  /** The server whose jobs are trained. */
  readonly client: WorkerClient;
  /** Makes what trains a job, given where its files are. */
  readonly trainer: (files: JobFiles) => Trainer;
  /** Where time comes from. */
  readonly clock: Clock;
  /** After this many jobs the worker ends. Never by default. */
  readonly jobs?: number | undefined;
  /** How long a trainer may take to stop, in milliseconds, before it is left to itself. 10,000. */
  readonly graceMs?: number | undefined;
  /** How long a job may go without news, in milliseconds, before it fails. 30 minutes. */
  readonly stallMs?: number | undefined;
  /** How long a job goes on, in milliseconds, while the server cannot be reached. 15 minutes. */
  readonly patienceMs?: number | undefined;
  /** Told of every job that was taken. */
  readonly onTask?: ((task: TrainingTask) => void) | undefined;
  /** Told what went wrong and is tried again. Nothing by default. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** How long a claim waits for a job, in seconds. */
const WAIT_SECONDS = 50;
/** The first pause before something is tried again, and the longest, in milliseconds. */
const PAUSES = { firstMs: 500, longestMs: 15_000 };
/** How often the last word of a worker that is told to stop is tried. */
const MOST_GOODBYES = 3;

/**
 * Works until `signal` is aborted or as many jobs are done as were asked for. A server that cannot be reached is tried
 * again; one that refuses the key is not: then it throws the fault `denied`.
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

/** Has one task trained. Throws when the server was not reached for too long, or refuses the worker. */
async function train(
  options: WorkOptions,
  task: TrainingTask,
  heartbeatMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { client, clock, graceMs, stallMs, onError = () => {} } = options;
  const tell = patiently(options, task, signal, (said) =>
    // Not by `signal`: that this worker stops is the last thing that it has to say.
    client.tell(task, [said], new AbortController().signal),
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
 * `tell`, again and again while the server cannot be reached: each report has its effect once, however often it is
 * sent. A heartbeat is not sent again: the next one comes soon enough.
 */
function patiently(
  { clock, patienceMs = 15 * 60_000, onError = () => {} }: WorkOptions,
  task: TrainingTask,
  signal: AbortSignal,
  tell: (said: WorkerReport) => Promise<ReportReply>,
): (said: WorkerReport) => Promise<ReportReply | undefined> {
  let last: ReportReply = { verdict: "already", stop: false, state: "starting", steps: task.steps_reported };
  return async (said) => {
    const rest = backoff(clock, PAUSES);
    const since = clock.now();
    for (let goodbyes = 0; ; ) {
      try {
        last = await tell(said);
        return last;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        // The job, or its model, was deleted.
        if (error.code === "missing") return undefined;
        if (signal.aborted) goodbyes++;
        const inVain = clock.now() - since > patienceMs || goodbyes >= MOST_GOODBYES;
        if (!error.retryable || inVain) throw error;
        onError(error);
        if (said.type === "heartbeat") return last;
        await rest.pause(new AbortController().signal);
      }
    }
  };
}
