import { afterEach, expect, test } from "vitest";
import { nextTurn, shareTurnsBy } from "../src/concurrency/next-turn.ts";

afterEach(() => shareTurnsBy(() => ""));

test("keys take turns, however much work each has", async () => {
  let key = "";
  shareTurnsBy(() => key);
  const order: string[] = [];
  const work = async (of: string, pieces: number) => {
    for (let i = 0; i < pieces; i++) {
      key = of;
      await nextTurn();
      order.push(of);
    }
  };
  const many = Array.from({ length: 64 }, () => work("many", 4));
  await work("one", 4);
  expect(order.filter((of) => of === "many").length).toBeLessThanOrEqual(5);
  await Promise.all(many);
  expect(order).toHaveLength(65 * 4);
});

test("pending events are handled between two pieces of work", async () => {
  let isHandled = false;
  const work = [nextTurn(), nextTurn()];
  setImmediate(() => {
    isHandled = true;
  });
  await Promise.all(work);
  expect(isHandled).toBe(true);
});
