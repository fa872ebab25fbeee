// A job's events as server-sent events: what a client that would rather not poll reads.

import { type EventQuery, hasEnded, type JobEvent, type TrainingService } from "@assay/training-core";
import { eventView } from "./answers.ts";

/** How often a stream without news says that it is still there, in milliseconds: proxies cut silent ones. */
const KEEP_ALIVE_MS = 15_000;

/**
 * The events after `query.after` and those to come, each as `id`, `event` and `data`, until the job has ended or
 * `signal` is aborted. A client that was cut off goes on with `Last-Event-ID`.
 */
export function eventStream(
  training: TrainingService,
  jobId: string,
  query: EventQuery,
  signal: AbortSignal,
): Response {
  const left = new AbortController();
  const gone = AbortSignal.any([signal, left.signal]);
  const encoder = new TextEncoder();
  const texts = eventTexts(training, jobId, query, gone);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await texts.next();
        if (next.done === true) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      cancel() {
        left.abort();
      },
    },
    // An event is read when somebody asks for it, not before.
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
    },
  });
}

async function* eventTexts(
  training: TrainingService,
  jobId: string,
  query: EventQuery,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let { after } = query;
  while (!signal.aborted) {
    const page = await training.awaitEvents(
      jobId,
      { ...query, ...(after !== undefined && { after }) },
      KEEP_ALIVE_MS,
      signal,
    );
    // The job was there when the stream began, and jobs do not go away.
    if (!page.ok) return;
    const { items, hasMore } = page.value;
    for (const event of items) yield eventText(event);
    after = items.at(-1)?.id ?? after;
    const job = hasMore ? undefined : await training.store.job(jobId);
    if (job !== undefined && hasEnded(job.state) && items.at(-1)?.seq === job.version) return;
    if (items.length > 0) continue;
    if (job !== undefined && hasEnded(job.state)) return;
    yield ": still here\n\n";
  }
}

function eventText(event: JobEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(eventView(event))}\n\n`;
}
