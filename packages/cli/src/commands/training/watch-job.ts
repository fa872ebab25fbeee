// assay jobs watch: follows a job until it ends, across reconnects.

import { setTimeout } from "node:timers/promises";
import { Fault } from "@assay/base";
import { type ServerOptions, serverAddress } from "../../clients/server-address.ts";
import {
  type EventInfo,
  type JobInfo,
  type TrainingClient,
  trainingClient,
} from "../../clients/training-client.ts";
import { type CliContext, log, print } from "../../terminal/cli-context.ts";
import { EXIT } from "../../terminal/failure.ts";
import { plainText } from "../../terminal/plain-text.ts";
import { showJob } from "./job-progress.ts";
import { historyTable, type MetricValues } from "./metric-history.ts";

/** Which job to watch. */
export interface WatchJobOptions extends ServerOptions {
  readonly job: string;
}

/** How long one request waits for events, in seconds. */
const WAIT_SECONDS = 20;
/** How long and how often to retry if the server does not answer, in milliseconds. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 1000;

/** Watches a job. The exit code is that of success only if the job succeeded. */
export async function watchJobCommand(context: CliContext, options: WatchJobOptions): Promise<number> {
  return watchJob(context, trainingClient(await serverAddress(options), options.apiKey), options.job);
}

/** Shows the progress of a job until it ends, then its metrics and its result. */
export async function watchJob(context: CliContext, client: TrainingClient, id: string): Promise<number> {
  const shown = await showJob(context);
  const steps: EventInfo["data"][] = [];
  try {
    for await (const event of eventsOf(context, client, id)) {
      shown.show(event);
      if (event.type === "gradient_step") steps.push(event.data);
    }
  } finally {
    shown.stop();
  }
  if (context.signal.aborted) {
    log(context, `the job continues; follow it again with assay jobs watch ${plainText(id)}`);
    return EXIT.ok;
  }
  const job = await client.job(id);
  showHistory(context, "metric of the job", steps);
  showHistory(context, "logged to the run", (await client.logged(job.model_id)).map(withoutOwn));
  await print(context, endText(job));
  return job.status === "succeeded" ? EXIT.ok : EXIT.failed;
}

function showHistory(context: CliContext, title: string, measured: readonly MetricValues[]): void {
  const table = historyTable(title, measured, context.stderr.columns ?? 100);
  if (table !== undefined) log(context, table);
}

/** Without what W&B's client adds to each line: `_step`, `_timestamp`, `_runtime`. */
function withoutOwn(line: MetricValues): MetricValues {
  return Object.fromEntries(Object.entries(line).filter(([name]) => !name.startsWith("_")));
}

/**
 * The events of a job, each once, until it has ended or the context stops the command. It waits for a server that
 * restarts.
 */
async function* eventsOf(context: CliContext, client: TrainingClient, id: string): AsyncGenerator<EventInfo> {
  let after: string | undefined;
  let answered = performance.now();
  while (!context.signal.aborted) {
    let events: readonly EventInfo[];
    try {
      events = await client.events(id, after, WAIT_SECONDS, context.signal);
      answered = performance.now();
    } catch (error) {
      if (context.signal.aborted) return;
      const worthwhile =
        error instanceof Fault && error.retryable && performance.now() - answered < PATIENCE_MS;
      if (!worthwhile) throw error;
      await setTimeout(PAUSE_MS, undefined, { signal: context.signal }).catch(() => {});
      continue;
    }
    for (const event of events) {
      yield event;
      if (event.type === "training_ended" || event.type === "training_failed") return;
    }
    after = events.at(-1)?.id ?? after;
  }
}

function endText({ id, status, checkpoint_step, error }: JobInfo): string {
  if (status === "succeeded") return `job ${id} succeeded: the model is at step ${checkpoint_step}`;
  return `job ${id} ${status}${error === null ? "" : ` (${plainText(error.code)}): ${plainText(error.message)}`}`;
}
