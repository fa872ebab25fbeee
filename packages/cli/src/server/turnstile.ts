// Lets requests through, and stops them for a while when somebody must have the data to himself: they wait, and are
// answered afterwards.

/** A way in that can be closed for a while. */
export interface Turnstile {
  /** Runs one request, once nobody has the data to himself. */
  pass<T>(run: () => Promise<T>): Promise<T>;
  /**
   * Runs `act` alone, from within a request: those under way have ended by then, or had `patience` milliseconds to, and
   * those that come meanwhile wait. One at a time.
   */
  alone<T>(act: () => Promise<T>, patience?: number): Promise<T>;
}

const PATIENCE = 10_000;

/** An open one. */
export function turnstile(): Turnstile {
  let under = 0;
  /** Requests that wait to be alone: none of them is waited for. */
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
    async alone(act, patience = PATIENCE) {
      alones++;
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
        alones--;
        if (closed === mine) closed = undefined;
      }
    },
  };
}
