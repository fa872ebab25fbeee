// A lock with shared and exclusive access: requests share the data, and wait while another caller has exclusive access.

/** Shared and exclusive access. Exclusive access has a deadline: it does not wait for long requests forever. */
export interface ReadWriteLock {
  /** Runs a request once no one has exclusive access to the data. */
  shared<T>(run: () => Promise<T>): Promise<T>;
  /**
   * Runs `act` exclusively: it first waits until running requests have ended, or for `patience` milliseconds, except
   * for the request that calls it if it is `within` one. New requests wait. One `act` runs at a time.
   */
  exclusive<T>(act: () => Promise<T>, options?: ExclusiveOptions): Promise<T>;
}

/** Options of exclusive access. */
interface ExclusiveOptions {
  /** Whether it is called inside a request. Default true. */
  readonly within?: boolean;
  /** How many milliseconds to wait for other requests. Default 10,000. */
  readonly patience?: number;
}

const PATIENCE = 10_000;

/** A lock without holders. */
export function readWriteLock(): ReadWriteLock {
  let holders = 0;
  /** The number of requests waiting for exclusive access, which must not be waited for. */
  let exclusives = 0;
  let held: Promise<unknown> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const leaving = new Set<() => void>();

  const othersLeft = async (patience: number): Promise<void> => {
    const until = performance.now() + patience;
    while (holders > exclusives && performance.now() < until) {
      await new Promise<void>((left) => {
        const timer = setTimeout(left, until - performance.now());
        leaving.add(() => {
          clearTimeout(timer);
          left();
        });
      });
    }
  };

  return {
    async shared(run) {
      while (held !== undefined) await held.catch(() => {});
      holders++;
      try {
        return await run();
      } finally {
        holders--;
        for (const leave of leaving) leave();
        leaving.clear();
      }
    },
    async exclusive(act, { within = true, patience = PATIENCE } = {}) {
      if (within) exclusives++;
      const mine = last
        .catch(() => {})
        .then(async () => {
          await othersLeft(patience);
          return act();
        });
      last = mine;
      held = mine;
      try {
        return await mine;
      } finally {
        if (within) exclusives--;
        if (held === mine) held = undefined;
      }
    },
  };
}
