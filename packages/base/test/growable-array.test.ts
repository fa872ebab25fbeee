import { expect, test } from "vitest";
import { growableIndexes } from "../src/collections/growable-array.ts";

test("an array keeps its items when another one continues it", () => {
  const first = growableIndexes();
  for (const item of [3, 1, 4]) first.push(item);
  // An abandoned continuation, such as that of a change that failed.
  first.continued().set(5, 9);
  const next = first.continued();
  next.set(4, 5);
  next.extend(7);
  expect([...first.trimmed()]).toEqual([3, 1, 4]);
  expect([...next.trimmed()]).toEqual([3, 1, 4, -1, 5, -1, -1]);
  expect(next.array.buffer).toBe(first.array.buffer);
});
