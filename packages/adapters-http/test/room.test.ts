import { expect, test } from "vitest";
import { room } from "../src/room.ts";

test("room is taken as bytes arrive and released completely", () => {
  const all = room(100);
  const [silent, honest] = [all.enter("a"), all.enter("b")];
  expect(silent.take(10)).toBe(true);
  expect(honest.take(90)).toBe(true);
  expect(silent.take(1)).toBe(false);
  honest.leave();
  expect(silent.take(90)).toBe(true);
});

test("a key has its share while others send requests, and everything otherwise", () => {
  const all = room(100, { share: 40 });
  const alone = all.enter("a");
  expect(alone.take(500)).toBe(true);
  expect(all.enter("b").take(1)).toBe(false);
  alone.leave();
  const [first, second, other] = [all.enter("a"), all.enter("a"), all.enter("b")];
  expect(other.take(1)).toBe(true);
  expect(first.take(30)).toBe(true);
  expect(second.take(20)).toBe(false);
  expect(second.take(10)).toBe(true);
});

test("bytes taken in a part of a room are also taken and released in the whole room", () => {
  const all = room(100);
  const [first, second] = [room(80, { within: all }), room(80, { within: all })];
  const [a, b] = [first.enter("a"), second.enter("b")];
  expect(a.take(70)).toBe(true);
  expect(b.take(40)).toBe(false);
  expect(b.take(30)).toBe(true);
  a.leave();
  expect(b.take(50)).toBe(true);
  expect(first.enter("c").take(21)).toBe(false);
});
