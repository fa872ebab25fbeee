/** Runs at most a number of tasks concurrently for each key. */
export interface KeyedSemaphore {
  /** The result of `task`, run when it is its turn: tasks with the same key start in order of arrival. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
}

/** A semaphore with `permits` for each key. */
export function keyedSemaphore(permits: number): KeyedSemaphore {
  const keys = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return {
    async run(key, task) {
      const own = keys.get(key) ?? { running: 0, waiting: [] };
      keys.set(key, own);
      if (own.running < permits) own.running++;
      // A task that ends passes its permit on.
      else await new Promise<void>((enter) => own.waiting.push(enter));
      try {
        return await task();
      } finally {
        const enter = own.waiting.shift();
        if (enter !== undefined) enter();
        else if (--own.running === 0) keys.delete(key);
      }
    },
  };
}
