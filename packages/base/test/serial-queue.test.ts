import { expect, test } from "vitest";
import { backoffMs } from "../src/concurrency/backoff.ts";
import { serialQueue } from "../src/concurrency/serial-queue.ts";

test("tasks run one after another, in order, and one that fails does not stop the next", async () => {
  const run = serialQueue();
  const log: string[] = [];
  const task = (name: string, turns: number, fails = false) =>
    run(async () => {
      log.push(`${name} begins`);
      for (let i = 0; i < turns; i++) await Promise.resolve();
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const outcomes = await Promise.allSettled([task("a", 5), task("b", 3, true), task("c", 0)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("pauses double up to the longest, whatever the number of failures", () => {
  const bounds = { firstMs: 100, longestMs: 1000 };
  expect([0, 1, 2, 3, 4, 5, 5000].map((failures) => backoffMs(failures, bounds))).toEqual([
    0, 100, 200, 400, 800, 1000, 1000,
  ]);
});
