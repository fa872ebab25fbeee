// A mutex for each key: changes of the same object run one after another, in the order of their requests. Without it, a
// write that loses against a concurrent one is retried, and a worker that reports without pause would always win.

import { serialQueue } from "@assay/base/internal";

/** Runs `task` after all earlier tasks with the same key have ended. */
export type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>;

interface Queue {
  readonly run: ReturnType<typeof serialQueue>;
  waiting: number;
}

/** A mutex for each key. Keys without waiters are forgotten. */
export function keyedMutex(): KeyedMutex {
  const queues = new Map<string, Queue>();
  return async (key, task) => {
    const queue = queues.get(key) ?? { run: serialQueue(), waiting: 0 };
    queues.set(key, queue);
    queue.waiting++;
    try {
      return await queue.run(task);
    } finally {
      queue.waiting--;
      if (queue.waiting === 0) queues.delete(key);
    }
  };
}
