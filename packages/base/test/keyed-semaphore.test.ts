import { expect, test } from "vitest";
import { keyedSemaphore } from "../src/concurrency/keyed-semaphore.ts";

test("limits the concurrent tasks of a key, in order, and runs those of other keys at the same time", async () => {
  const semaphore = keyedSemaphore(2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const task = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((end) => ends.push(() => end(name)));
  };
  const results = ["a1", "a2", "a3", "b1", "a4"].map((name) => semaphore.run(name[0]!, task(name)));
  await Promise.resolve();
  expect(begun).toEqual(["a1", "a2", "b1"]);
  ends[0]!();
  expect(await results[0]).toBe("a1");
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
  for (const end of ends) end();
  await results[2];
  ends.at(-1)!();
  expect(await Promise.all(results)).toEqual(["a1", "a2", "a3", "b1", "a4"]);
});

test("a task that fails makes room for the next", async () => {
  const semaphore = keyedSemaphore(1);
  const failed = semaphore.run("a", () => Promise.reject(new Error("no")));
  const next = semaphore.run("a", async () => 1);
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe(1);
});
