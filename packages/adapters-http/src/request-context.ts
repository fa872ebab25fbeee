// Which request is being answered, for whoever is told of an error in the middle of it.

import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string>();

/** Runs `work` as part of the request with this id. */
export function asPartOf<T>(id: string, work: () => T): T {
  return current.run(id, work);
}

/** The id of the request that is being answered, for whoever is told of an error; undefined outside of any. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
