// The poll loop of the openpipe-art client, as a pure function without waiting.

import type { PublicEvent } from "../src/job/job-event.ts";

/** The outcome of the loop. */
export interface Outcome {
  readonly end: "returned" | "raised" | "polling";
  /** Why it raised an error: a failed job, or one of the client's assertions. */
  readonly error?: string;
  /** The metrics that it yielded, in order. */
  readonly yielded: readonly Readonly<Record<string, unknown>>[];
  readonly total: number | undefined;
}

/**
 * Runs the loop against `histories`: the job's public events at each poll, which only grow. Each request returns
 * `pageSize` events.
 */
export function artClient(histories: readonly (readonly PublicEvent[])[], pageSize: number): Outcome {
  let after: string | undefined;
  let total: number | undefined;
  const yielded: Readonly<Record<string, unknown>>[] = [];
  for (const history of histories) {
    for (const { id, type, data } of allPages(history, after, pageSize)) {
      if (type === "gradient_step") {
        if (total === undefined) return { end: "raised", error: "step before start", yielded, total };
        for (const value of Object.values(data))
          if (!Number.isFinite(Number(value)) || typeof value !== "number")
            return { end: "raised", error: "not a number", yielded, total };
        yielded.push(data);
        after = id;
      } else if (type === "training_started") {
        if (total === undefined) {
          if (!Object.hasOwn(data, "num_sequences"))
            return { end: "raised", error: "KeyError", yielded, total };
          total = Number(data["num_sequences"]);
        }
        // The cursor does not move, so the next poll reads the same event again.
      } else if (type === "training_ended") return { end: "returned", yielded, total };
      else if (type === "training_failed")
        return { end: "raised", error: `Training job failed: ${data["error_message"]}`, yielded, total };
      else after = id;
    }
  }
  return { end: "polling", yielded, total };
}

/** The events that an auto-paging client reads, page after page until has_more is false. */
function* allPages(
  history: readonly PublicEvent[],
  after: string | undefined,
  size: number,
): Iterable<PublicEvent> {
  for (;;) {
    const start = after === undefined ? 0 : history.findIndex(({ id }) => id === after) + 1;
    const page = history.slice(start, start + size);
    yield* page;
    if (start + size >= history.length) return;
    after = page.at(-1)!.id;
  }
}
