import { expect, test } from "vitest";
import { batchQueue } from "../src/concurrency/batch-queue.ts";

test("items that arrive during a write are written together, in order", async () => {
  const batches: (readonly number[])[] = [];
  const queue = batchQueue<number, string>({
    write: async (batch) => {
      batches.push(batch);
      await Promise.resolve();
      return batch.map(String);
    },
    lengthOf: ({ length }) => Math.min(length, 3),
  });
  expect(await Promise.all([1, 2, 3, 4, 5].map(queue))).toEqual(["1", "2", "3", "4", "5"]);
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

test("a failed write fails its items, and not the next ones", async () => {
  const queue = batchQueue<number, number>({
    write: async ([first]) => {
      if (first === 1) throw new Error("failed");
      return [first!];
    },
    lengthOf: () => 1,
  });
  const results = await Promise.allSettled([queue(1), queue(2)]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});
