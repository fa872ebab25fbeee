// Clock: the source of time.

/** Tells the time and wakes its caller. */
export interface Clock {
  /** Milliseconds since 1970 in UTC. May jump either way: the machine's clock can be set. */
  now(): number;

  /** Calls `wake` once, `ms` milliseconds from now, unless the returned function is called first. */
  after(ms: number, wake: () => void): () => void;
}
