/** A semaphore for each key: runs at most a number of its tasks at a time. */
export interface KeyedSemaphore {
  /** What `task` gives, once it was its turn: tasks of one key begin in the order in which they come. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
}

/** A semaphore of `permits` for each key. */
export function keyedSemaphore(permits: number): KeyedSemaphore {
  const keys = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return {
    async run(key, task) {
      const own = keys.get(key) ?? { running: 0, waiting: [] };
      keys.set(key, own);
      if (own.running < permits) own.running++;
      // A task that ends hands its permit over.
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
