import { expect, test } from "vitest";
import { timeSlice } from "../src/concurrency/time-slice.ts";

test("all work between two turns of the event loop shares one time slice", async () => {
  const WORKS = 8;
  let [steps, most, isOver] = [0, 0, false];
  const look = () => {
    most = Math.max(most, steps);
    steps = 0;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const work = async () => {
    const pause = timeSlice();
    for (let i = 0; i < 20; i++) {
      const from = performance.now();
      while (performance.now() - from < 1);
      steps++;
      const turn = pause();
      if (turn !== undefined) await turn;
    }
  };
  await Promise.all(Array.from({ length: WORKS }, work));
  isOver = true;
  // The slice ends after five steps of a millisecond. Work that starts later has already made its first step.
  expect(most).toBeLessThanOrEqual(5 + WORKS);
});
