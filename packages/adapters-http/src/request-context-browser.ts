// Like `request-context.ts`, for a browser's worker, which has no storage that follows asynchronous work: there is no
// request ID, and all work belongs to one key.

import type { RequestOwner } from "./request-context.ts";

/** Runs `work`. */
export function asPartOf<T>(_id: string, work: () => T): T {
  return work();
}

/** Does nothing. */
export function setRequestOwner(_by: RequestOwner): void {}

/** A function that runs work. */
export function inThisContext(): <T>(work: () => T) => T {
  return (work) => work();
}

/** Makes a chunk of an answer. */
export function makePiece<T>(make: () => Promise<T>): Promise<T> {
  return make();
}
