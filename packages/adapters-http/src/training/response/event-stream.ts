// A job's events as server-sent events, for clients that do not poll.

import type { TrainingService } from "@assay/training-core";
import { type EventQuery, hasEnded } from "@assay/training-core/internal";
import { eventOf, eventStream, STILL_HERE } from "../../response/server-sent-events.ts";
import { eventView } from "./responses.ts";

/** The interval of keep-alive comments in a quiet stream, in milliseconds. */
const KEEP_ALIVE_MS = 15_000;

/**
 * The events after `query.after` and future ones, each as `id`, `event` and `data`, until the job has ended or
 * `gone` aborts, which it does in the end. A client that was cut off continues with `Last-Event-ID`.
 */
export function jobEvents(
  training: TrainingService,
  jobId: string,
  query: EventQuery,
  gone: AbortController,
): Response {
  const texts = eventTexts(training, jobId, query, gone);
  return eventStream(texts, { giveUp: () => gone.abort() });
}

async function* eventTexts(
  training: TrainingService,
  jobId: string,
  query: EventQuery,
  gone: AbortController,
): AsyncGenerator<string> {
  let { after } = query;
  try {
    while (!gone.signal.aborted) {
      const page = await training.awaitEvents(
        jobId,
        { ...query, ...(after !== undefined && { after }) },
        KEEP_ALIVE_MS,
        gone.signal,
      );
      // The job existed when the stream started, and jobs are never removed.
      if (!page.ok) return;
      const { items, hasMore } = page.value;
      for (const event of items)
        yield eventOf(JSON.stringify(eventView(event)), { event: event.type, id: event.id });
      after = items.at(-1)?.id ?? after;
      const job = hasMore ? undefined : await training.store.job(jobId);
      if (job !== undefined && hasEnded(job.state) && items.at(-1)?.seq === job.version) return;
      if (items.length > 0) continue;
      if (job !== undefined && hasEnded(job.state)) return;
      yield STILL_HERE;
    }
  } finally {
    gone.abort();
  }
}
