// Lets requests through, and stops them for a while when someone must have the data to himself: they wait, and are
// answered afterwards.

/** An entrance that can be closed for a while. */
export interface Turnstile {
  /** Runs a request once no one has exclusive access to the data. */
  pass<T>(run: () => Promise<T>): Promise<T>;
  /**
   * Runs `act` exclusively: it first waits until requests under way have ended, or for `patience` milliseconds, except
   * for the request that calls it if it is `within` one. New requests wait. One `act` runs at a time.
   */
  exclusively<T>(act: () => Promise<T>, options?: ExclusiveOptions): Promise<T>;
}

/** Options of exclusive access. */
interface ExclusiveOptions {
  /** Whether it is called inside a request. Default true. */
  readonly within?: boolean;
  /** How many milliseconds to wait for other requests. Default 10,000. */
  readonly patience?: number;
}

const PATIENCE = 10_000;

/** An open turnstile. */
export function turnstile(): Turnstile {
  let under = 0;
  /** The number of requests waiting for exclusive access, which must not be waited for. */
  let alones = 0;
  let closed: Promise<unknown> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const leaving = new Set<() => void>();

  const othersLeft = async (patience: number): Promise<void> => {
    const until = performance.now() + patience;
    while (under > alones && performance.now() < until) {
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
    async pass(run) {
      while (closed !== undefined) await closed.catch(() => {});
      under++;
      try {
        return await run();
      } finally {
        under--;
        for (const leave of leaving) leave();
        leaving.clear();
      }
    },
    async exclusively(act, { within = true, patience = PATIENCE } = {}) {
      if (within) alones++;
      const mine = turn
        .catch(() => {})
        .then(async () => {
          await othersLeft(patience);
          return act();
        });
      turn = mine;
      closed = mine;
      try {
        return await mine;
      } finally {
        if (within) alones--;
        if (closed === mine) closed = undefined;
      }
    },
  };
}
