// The trainer on a Ray cluster: submits a worker as a job of Ray and hears from it over a gateway. Ray decides where
// and when the job runs; this trainer guarantees that it ends, with a reason.

import { Fault, type Json } from "@assay/base";
import type {
  Clock,
  Trainer,
  TrainingKind,
  TrainingTask,
  WorkerMessage,
  WorkerReport,
} from "@assay/training-core";
import { backoff } from "@assay/training-core/internal";
import { hasEnded, type RayJob, type RayJobs, rayJobs } from "./ray-jobs.ts";

/** One task at a gateway. */
export interface GatewayRun {
  /** Where its worker finds it, below the address of the gateway. */
  readonly path: string;
  /** What its worker has said since the last time; waits until there is something, or `signal` is aborted. */
  heard(signal: AbortSignal): Promise<readonly WorkerReport[]>;
  /** From now on its worker is told to stop whenever it says something. */
  stop(): void;
  /** From now on there is no such run, and its worker ends when it learns that. */
  close(): void;
}

/** Where workers find their tasks and say how they go: `workerGateway` of `@assay/adapters-worker` is one. */
export interface Gateway {
  /** Makes a task available to one worker. */
  open(task: TrainingTask): GatewayRun;
}

/** How tasks are trained on a Ray cluster. */
export interface RayTrainerOptions {
  /** The address of the cluster's dashboard, such as `http://127.0.0.1:8265`. */
  readonly address: string;
  /** The token of a cluster that asks for one. */
  readonly token?: string | undefined;
  /** The worker's command, for a shell on the cluster: `python worker.py`. It finds its run in `ASSAY_RUN_URL`. */
  readonly entrypoint: string;
  /** Ray's runtime environment: `working_dir`, `pip`, `env_vars`… None by default. */
  readonly runtimeEnv?: { readonly [name: string]: Json } | undefined;
  /** What the command needs, in Ray's words: `entrypoint_num_gpus`, `entrypoint_memory`, … Nothing by default. */
  readonly resources?: { readonly [name: `entrypoint_${string}`]: Json } | undefined;
  /** Where the worker finds its task. */
  readonly gateway: Gateway;
  /** The address under which the cluster reaches the gateway. */
  readonly gatewayUrl: string;
  /** Whether the worker can train this. Everything by default. */
  readonly accepts?: ((work: TrainingKind) => boolean) | undefined;
  /** Where time comes from. */
  readonly clock: Clock;
  /** How often Ray is asked for the job's status, in milliseconds. 2000. */
  readonly pollMs?: number | undefined;
  /** How long a running worker may say nothing, in milliseconds. 60,000. */
  readonly silenceMs?: number | undefined;
  /** How long Ray may be out of reach, in milliseconds, while the worker says nothing either. 60,000. */
  readonly unreachableMs?: number | undefined;
  /** How long a job of Ray may take to end, in milliseconds, before it is left to itself. 8000. */
  readonly graceMs?: number | undefined;
  /** Told the log of each job that has ended, its newest part. Nothing by default. */
  readonly onLog?: ((task: TrainingTask, log: Uint8Array) => Promise<void> | void) | undefined;
  /** Told what is wrong and ends no job: a log that cannot be had, a job of Ray that does not stop. Nothing by default. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** How much of a log is kept. */
const LOG_BYTES = 1024 * 1024;

/**
 * Trains by submitting a job to Ray for each task, under the id `assay-<job>-<attempt>`. Besides the codes of the
 * worker itself, jobs fail with `ray_refused`, `ray_denied`, `ray_conflict` (the id was used before), `ray_unreachable`,
 * `ray_forgot` (its head was restarted), `ray_failed`, `ray_stopped` (by someone else), `worker_ended` (without a
 * result), `worker_stopped` and `worker_hung`.
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
      let told = false;
      let submitted = false;
      try {
        const refused = await submit(options, ray, id, run, signal);
        // What Ray may have taken without saying so is to be stopped as well.
        submitted = refused === undefined || refused.code === "ray_unreachable";
        if (refused !== undefined) return yield refused;
        for await (const said of words(options, ray, id, run, signal)) {
          told = said.type === "done" || said.type === "failed";
          yield said;
          if (told) return;
        }
      } finally {
        if (told) run.close();
        else run.stop();
        if (submitted) await conclude(options, ray, id, task, told);
        run.close();
      }
    },
  };
}

type Failure = WorkerMessage & { readonly type: "failed"; readonly code: string };

function failed(code: string, message: string, retryable: boolean): Failure {
  return { type: "failed", code, message, retryable };
}

/** How often a job is submitted, and the pause before the second time, in milliseconds; each further one is twice as long. */
const MOST_SUBMISSIONS = 5;
const PAUSES = { firstMs: 1000, longestMs: 60_000 };

/**
 * Submits the job; resolves to what went wrong. A cluster that does not answer, or cannot now, is asked again under
 * the same id: should it have taken the job and its answer be lost, it says that it has it.
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
      return failed("ray_conflict", `Ray has a job ${id} already`, true);
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

/** What the worker says, and at last why it says no more, if it has not said so itself. */
async function* words(
  { clock, pollMs = 2000, silenceMs = 60_000, unreachableMs = 60_000 }: RayTrainerOptions,
  ray: RayJobs,
  id: string,
  run: GatewayRun,
  signal: AbortSignal,
): AsyncGenerator<WorkerMessage> {
  // In milliseconds, by what has passed between two looks: however far the clock went, a suspended machine is not a
  // silent worker.
  let silent = 0;
  let unanswered = 0;
  let unasked = 0;
  let job: RayJob | undefined;
  for (;;) {
    const before = clock.now();
    const waiting = new AbortController();
    const cancel = clock.after(Math.max(0, pollMs - unasked), () => waiting.abort());
    const reports = await run.heard(AbortSignal.any([signal, waiting.signal]));
    cancel();
    for (const said of reports) {
      yield said.type === "stopped" ? failed("worker_stopped", "the worker stopped", true) : said;
    }
    if (signal.aborted) return;
    const passed = Math.min(Math.max(clock.now() - before, 0), pollMs);
    silent = reports.length > 0 || job?.status !== "RUNNING" ? 0 : silent + passed;
    unasked += passed;
    unanswered = reports.length > 0 ? 0 : unanswered + passed;
    if (silent > silenceMs) {
      const seconds = Math.round(silent / 1000);
      return yield failed("worker_hung", `the worker said nothing for ${seconds} seconds`, true);
    }
    if (unasked < pollMs) continue;
    unasked = 0;
    const asked = clock.now();
    try {
      job = await ray.job(id);
      unanswered = 0;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      // An answer that does not come takes longer than one that is no.
      unanswered += Math.min(Math.max(clock.now() - asked, 0), unreachableMs / 2);
      if (unanswered > unreachableMs) return yield failed("ray_unreachable", error.message, true);
      continue;
    }
    if (signal.aborted) return;
    if (job !== undefined && !hasEnded(job)) continue;
    // What the worker said before it ended is heard first.
    for (const said of await run.heard(AbortSignal.abort())) if (said.type !== "stopped") yield said;
    return yield endOf(job);
  }
}

/** What it means that a job of Ray has ended, or is gone, without its worker having said so. */
function endOf(job: RayJob | undefined): Failure {
  if (job === undefined) {
    return failed("ray_forgot", "Ray no longer knows the job: its head was restarted", true);
  }
  if (job.status === "STOPPED") return failed("ray_stopped", "the job was stopped on the Ray cluster", false);
  if (job.status === "SUCCEEDED") {
    return failed("worker_ended", "the worker ended without a result", true);
  }
  const why = job.exitCode === undefined ? job.errorType : `exit code ${job.exitCode}`;
  // What Ray itself could not do may go well another time; what the worker could not do will not.
  return failed(
    "ray_failed",
    `the job failed on Ray: ${why ?? "no reason given"}`,
    job.exitCode === undefined,
  );
}

/**
 * Sees to it that the job of Ray ends. Ray says that it stops a job when it has passed that on, and a job that is
 * still pending may begin all the same (https://github.com/ray-project/ray/issues/58353): so it is asked until the
 * job has ended. One that never does finds no task when it begins.
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
      if (hasEnded(job)) break;
      if (late) throw new Fault("timeout", `the job ${id} of Ray does not stop: it is ${job.status}`);
      await new Promise<void>((resolve) => clock.after(step, resolve));
    }
    if (onLog !== undefined) await onLog(task, await ray.logs(id, LOG_BYTES));
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)));
  }
}
