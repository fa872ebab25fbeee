import { expect, test } from "vitest";
import { memoryBudget } from "../src/request/memory-budget.ts";

test("space is taken as bytes arrive, and released completely", () => {
  const all = memoryBudget(100);
  const [silent, honest] = [all.reserve("a"), all.reserve("b")];
  expect(silent.take(10)).toBe(true);
  expect(honest.take(90)).toBe(true);
  expect(silent.take(1)).toBe(false);
  honest.release();
  expect(silent.take(90)).toBe(true);
});

test("a key has only its share while others send requests, and everything otherwise", () => {
  const all = memoryBudget(100, { share: 40 });
  const alone = all.reserve("a");
  expect(alone.take(500)).toBe(true);
  expect(all.reserve("b").take(1)).toBe(false);
  alone.release();
  const [first, second, other] = [all.reserve("a"), all.reserve("a"), all.reserve("b")];
  expect(other.take(1)).toBe(true);
  expect(first.take(30)).toBe(true);
  expect(second.take(20)).toBe(false);
  expect(second.take(10)).toBe(true);
});

test("bytes taken in part of a budget are also taken and released in the whole budget", () => {
  const all = memoryBudget(100);
  const [first, second] = [memoryBudget(80, { within: all }), memoryBudget(80, { within: all })];
  const [a, b] = [first.reserve("a"), second.reserve("b")];
  expect(a.take(70)).toBe(true);
  expect(b.take(40)).toBe(false);
  expect(b.take(30)).toBe(true);
  a.release();
  expect(b.take(50)).toBe(true);
  expect(first.reserve("c").take(21)).toBe(false);
});
