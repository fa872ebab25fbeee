import { expect, test } from "vitest";
import { health } from "../../src/upstreams/health.ts";

test("an upstream is avoided longer after each failure, and healthy again after an answer", () => {
  let now = 0;
  const one = health(() => now);
  expect([one.isGood(), one.restsFor()]).toEqual([true, 0]);
  const rests = [1, 2, 3].map(() => {
    one.failed();
    return one.restsFor();
  });
  expect(rests).toEqual([1000, 2000, 4000]);
  now = 3000;
  expect([one.isGood(), one.restsFor()]).toEqual([false, 1000]);
  one.answered();
  expect([one.isGood(), one.restsFor()]).toEqual([true, 0]);
});

test("it is avoided for as long as it requested, within limits", () => {
  const one = health(() => 0);
  one.failed(30);
  expect(one.restsFor()).toBe(30_000);
  one.failed(99_999);
  expect(one.restsFor()).toBe(60_000);
  for (let i = 0; i < 2000; i++) one.failed();
  expect(one.restsFor()).toBe(60_000);
});
