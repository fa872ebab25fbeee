// Writes items in batches: those that arrive during a write wait, and are written together.

import { serialQueue } from "./serial-queue.ts";

/** How to write queued items. */
interface BatchQueueOptions<Item, Value> {
  /** Writes a batch; resolves to the result of each item. If it rejects, all of its items fail. */
  readonly write: (batch: readonly Item[]) => Promise<readonly Value[]>;
  /** How many items from the front of the queue, at least one, form the next batch. */
  readonly lengthOf: (items: readonly Item[]) => number;
  /** Runs what must not overlap with a write. Default: only writes exclude each other. */
  readonly inTurn?: (<T>(task: () => Promise<T>) => Promise<T>) | undefined;
}

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

/** A function that queues an item, and resolves to its result once it is written. Items are written in order. */
export function batchQueue<Item, Value>({
  write,
  lengthOf,
  inTurn = serialQueue(),
}: BatchQueueOptions<Item, Value>): (item: Item) => Promise<Value> {
  const items: Item[] = [];
  const waiting: Waiting<Value>[] = [];

  const writeNext = async (): Promise<void> => {
    // An earlier turn may have written the item of this turn together with others.
    if (items.length === 0) return;
    const length = lengthOf(items);
    const batch = items.splice(0, length);
    const settling = waiting.splice(0, length);
    try {
      const values = await write(batch);
      for (const [i, { resolve }] of settling.entries()) resolve(values[i]!);
    } catch (error) {
      for (const { reject } of settling) reject(error);
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      items.push(item);
      waiting.push({ resolve, reject });
      void inTurn(writeNext);
    });
}
