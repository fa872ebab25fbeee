// Optimistic concurrency: a write that loses against a concurrent one is tried again.

import { Fault } from "../errors/fault.ts";

/**
 * How often a write is tried before the store counts as overloaded. Each failure means that another write succeeded.
 */
const MOST_TRIES = 1000;

/**
 * Calls `attempt` until it returns an answer. It reads all data again each time, and returns undefined after a
 * concurrent write.
 */
export async function untilWritten<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < MOST_TRIES; i++) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
  }
  throw new Fault("overloaded", "too many concurrent changes");
}
