import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { linkedController } from "../src/linked-controller.ts";

test("aborts with the first of the signals, and its reason", () => {
  const [a, b] = [new AbortController(), new AbortController()];
  const { signal } = linkedController(a.signal, b.signal);
  expect(signal.aborted).toBe(false);
  b.abort("b");
  a.abort("a");
  expect(signal.reason).toBe("b");
  expect(linkedController(new AbortController().signal, a.signal).signal.reason).toBe("a");
});

test("leaves no listener on the signals once it is aborted", () => {
  const { signal } = new AbortController();
  const many = Array.from({ length: 100 }, () => linkedController(signal));
  // Node.js warns about more than ten.
  expect(getEventListeners(signal, "abort").length).toBe(1);
  for (const one of many) one.abort();
  expect(getEventListeners(signal, "abort")).toEqual([]);
  const later = linkedController(signal);
  expect([signal.aborted, later.signal.aborted]).toEqual([false, false]);
});

test("a signal aborts all that still follow it", () => {
  const closing = new AbortController();
  const [left, ...staying] = Array.from({ length: 3 }, () => linkedController(closing.signal));
  left!.abort("left");
  closing.abort("closed");
  expect([left, ...staying].map((one) => one!.signal.reason)).toEqual(["left", "closed", "closed"]);
});
