// A trainer on a Ray cluster: submits a worker as a Ray job, which reports over a gateway. Ray decides where and when
// the job runs; this trainer guarantees that it ends, with a reason.

import { Fault, type Json } from "@assay/base";
import type {
  Clock,
  Trainer,
  TrainingKind,
  TrainingTask,
  WorkerMessage,
  WorkerReport,
} from "@assay/training-core";
import { backoff, linkedController } from "@assay/training-core/internal";
import { isFinal, type RayJob, type RayJobs, rayJobs } from "./ray-jobs.ts";

/** One task at a gateway. */
export interface GatewayRun {
  /** Where its worker finds it, below the address of the gateway. */
  readonly path: string;
  /** The worker's new messages; waits until there are some, or `signal` is aborted. */
  nextReports(signal: AbortSignal): Promise<readonly WorkerReport[]>;
  /** From now on, answers every message of its worker with the request to stop. */
  stop(): void;
  /** Removes the run; its worker ends when it learns that. */
  close(): void;
}

/** Where workers find their tasks and report progress, such as `workerGateway` of `@assay/adapters-worker`. */
export interface Gateway {
  /** Makes a task available to one worker. */
  open(task: TrainingTask): GatewayRun;
}

/** How to train on a Ray cluster. */
export interface RayTrainerOptions {
  /** The address of the cluster's dashboard, such as `http://127.0.0.1:8265`. */
  readonly address: string;
  /** The token of a cluster that requires one. */
  readonly token?: string | undefined;
  /** The worker's command, for a shell on the cluster: `python worker.py`. It finds its run in `ASSAY_RUN_URL`. */
  readonly entrypoint: string;
  /** Ray's runtime environment: `working_dir`, `pip`, `env_vars` and so on. Default: none. */
  readonly runtimeEnv?: { readonly [name: string]: Json } | undefined;
  /**
   * The resources of the command, in Ray's terms: `entrypoint_num_gpus`, `entrypoint_memory` and so on. Default: none.
   */
  readonly resources?: { readonly [name: `entrypoint_${string}`]: Json } | undefined;
  /** The gateway where the worker finds its task. */
  readonly gateway: Gateway;
  /** The address of the gateway as seen from the cluster. */
  readonly gatewayUrl: string;
  /** Whether the worker can train this. Default: everything. */
  readonly accepts?: ((work: TrainingKind) => boolean) | undefined;
  /** The clock. */
  readonly clock: Clock;
  /** How often to poll the job's status, in milliseconds. Default 2000. */
  readonly pollMs?: number | undefined;
  /** How many milliseconds a running worker may be silent. Default 60,000. */
  readonly silenceMs?: number | undefined;
  /** How many milliseconds Ray may be unreachable while the worker is silent too. Default 60,000. */
  readonly unreachableMs?: number | undefined;
  /** How many milliseconds a Ray job may take to end before it is abandoned. Default 8000. */
  readonly graceMs?: number | undefined;
  /** Called with the newest part of each ended job's log. Default: ignored. */
  readonly onLog?: ((task: TrainingTask, log: Uint8Array) => Promise<void> | void) | undefined;
  /** Called with problems that end no job: an unavailable log, a Ray job that does not stop. Default: ignored. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** How much of a log is kept. */
const LOG_BYTES = 1024 * 1024;

/**
 * Trains by submitting a Ray job for each task, under the ID `assay-<job>-<attempt>`. Besides the worker's own codes,
 * jobs fail with `ray_refused`, `ray_denied`, `ray_conflict` (the ID was used before), `ray_unreachable`, `ray_forgot`
 * (its head was restarted), `ray_failed`, `ray_stopped` (by someone else), `worker_ended` (without a result),
 * `worker_stopped` and `worker_hung`.
 */
export function rayTrainer(options: RayTrainerOptions): Trainer {
  const { accepts = () => true, gateway } = options;
  const ray = rayJobs(options);
  return {
    accepts,
    check: () => ray.check(),
    async *train(task, signal) {
      const id = `assay-${task.job_id}-${task.attempt}`;
      const run = gateway.open(task);
      let reportedEnd = false;
      let submitted = false;
      try {
        const refused = await submit(options, ray, id, run, signal);
        // Jobs that Ray may have accepted without confirming must be stopped as well.
        submitted = refused === undefined || refused.code === "ray_unreachable";
        if (refused !== undefined) return yield refused;
        for await (const message of words(options, ray, id, run, signal)) {
          reportedEnd = message.type === "done" || message.type === "failed";
          yield message;
          if (reportedEnd) return;
        }
      } finally {
        if (reportedEnd) run.close();
        else run.stop();
        if (submitted) await conclude(options, ray, id, task, reportedEnd);
        run.close();
      }
    },
  };
}

type Failure = WorkerMessage & { readonly type: "failed"; readonly code: string };

function failed(code: string, message: string, retryable: boolean): Failure {
  return { type: "failed", code, message, retryable };
}

/** How often a job is submitted, and the pause before the second attempt, in milliseconds, which doubles each time. */
const MOST_SUBMISSIONS = 5;
const PAUSES = { firstMs: 1000, longestMs: 60_000 };

/**
 * Submits the job; resolves to the failure, if any. If the cluster does not answer or cannot accept it now, it is
 * submitted again under the same ID: if the job was accepted and the answer lost, Ray reports that the ID exists.
 */
async function submit(
  { entrypoint, runtimeEnv = {}, resources = {}, gatewayUrl, clock }: RayTrainerOptions,
  ray: RayJobs,
  id: string,
  { path }: GatewayRun,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const url = gatewayUrl.replace(/\/+$/, "") + path;
  const env = { ...(runtimeEnv["env_vars"] as { readonly [name: string]: Json } | undefined) };
  const job = {
    entrypoint,
    runtime_env: { ...runtimeEnv, env_vars: { ...env, ASSAY_RUN_URL: url } },
    ...resources,
  };
  const rest = backoff(clock, PAUSES);
  for (let tried = 1; ; tried++) {
    try {
      if ((await ray.submit(id, job)) || tried > 1) return undefined;
      return failed("ray_conflict", `Ray already has a job ${id}`, true);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.code === "corrupt") return failed("ray_refused", error.message, false);
      if (error.code === "denied") return failed("ray_denied", error.message, false);
      if (tried === MOST_SUBMISSIONS) return failed("ray_unreachable", error.message, true);
      await rest.pause(signal);
      if (signal.aborted) return failed("ray_unreachable", error.message, true);
    }
  }
}

/** The worker's messages, followed by the reason for its end, unless it reported that itself. */
async function* words(
  { clock, pollMs = 2000, silenceMs = 60_000, unreachableMs = 60_000 }: RayTrainerOptions,
  ray: RayJobs,
  id: string,
  run: GatewayRun,
  signal: AbortSignal,
): AsyncGenerator<WorkerMessage> {
  // In milliseconds, adding at most the time between two polls, so that a suspended machine does not count as a silent
  // worker.
  let silent = 0;
  let unanswered = 0;
  let unasked = 0;
  let job: RayJob | undefined;
  for (;;) {
    const before = clock.now();
    const waiting = linkedController(signal);
    const cancel = clock.after(Math.max(0, pollMs - unasked), () => waiting.abort());
    const reports = await run.nextReports(waiting.signal);
    cancel();
    waiting.abort();
    for (const report of reports) {
      yield report.type === "stopped" ? failed("worker_stopped", "the worker stopped", true) : report;
    }
    if (signal.aborted) return;
    const passed = Math.min(Math.max(clock.now() - before, 0), pollMs);
    silent = reports.length > 0 || job?.status !== "RUNNING" ? 0 : silent + passed;
    unasked += passed;
    unanswered = reports.length > 0 ? 0 : unanswered + passed;
    if (silent > silenceMs) {
      const seconds = Math.round(silent / 1000);
      return yield failed("worker_hung", `the worker sent nothing for ${seconds} seconds`, true);
    }
    if (unasked < pollMs) continue;
    unasked = 0;
    const asked = clock.now();
    try {
      job = await ray.job(id);
      unanswered = 0;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      // A timeout takes longer than a refusal.
      unanswered += Math.min(Math.max(clock.now() - asked, 0), unreachableMs / 2);
      if (unanswered > unreachableMs) return yield failed("ray_unreachable", error.message, true);
      continue;
    }
    if (signal.aborted) return;
    if (job !== undefined && !isFinal(job)) continue;
    // The worker's last messages are read first.
    for (const report of await run.nextReports(AbortSignal.abort()))
      if (report.type !== "stopped") yield report;
    return yield endOf(job);
  }
}

/** What to report if a Ray job ended or disappeared without a report from its worker. */
function endOf(job: RayJob | undefined): Failure {
  if (job === undefined) {
    return failed("ray_forgot", "Ray no longer knows the job: its head was restarted", true);
  }
  if (job.status === "STOPPED") return failed("ray_stopped", "the job was stopped on the Ray cluster", false);
  if (job.status === "SUCCEEDED") {
    return failed("worker_ended", "the worker ended without a result", true);
  }
  const why = job.exitCode === undefined ? job.errorType : `exit code ${job.exitCode}`;
  // A failure of Ray itself may be temporary; one of the worker is not.
  return failed(
    "ray_failed",
    `the job failed on Ray: ${why ?? "no reason given"}`,
    job.exitCode === undefined,
  );
}

/**
 * Makes sure that the Ray job ends. Ray confirms a stop once it has passed it on, and a pending job may still start
 * (https://github.com/ray-project/ray/issues/58353), so the request is repeated until the job has ended. A job that
 * never ends finds no task when it starts.
 */
async function conclude(
  { clock, pollMs = 2000, graceMs = 8000, onLog, onError = () => {} }: RayTrainerOptions,
  ray: RayJobs,
  id: string,
  task: TrainingTask,
  mayEndItself: boolean,
): Promise<void> {
  const step = Math.min(pollMs, 500);
  let job: RayJob | undefined;
  try {
    for (let waited = 0; ; waited += step) {
      const late = waited >= graceMs;
      if (!mayEndItself || late) await ray.stop(id);
      job = await ray.job(id);
      if (job === undefined) return;
      if (isFinal(job)) break;
      if (late) throw new Fault("timeout", `the job ${id} of Ray does not stop: it is ${job.status}`);
      await new Promise<void>((resolve) => clock.after(step, resolve));
    }
    if (onLog !== undefined) await onLog(task, await ray.logs(id, LOG_BYTES));
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)));
  }
}
