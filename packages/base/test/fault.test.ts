import { describe, expect, test } from "vitest";
import { Fault } from "../src/index.ts";

describe("Fault", () => {
  test("keeps its cause, and a fault stays unchanged", () => {
    const cause = new Error("EIO");
    const fault = Fault.from(cause, "unavailable", "the store is down");
    expect(fault.cause).toBe(cause);
    expect(Fault.from(fault, "corrupt", "something else")).toBe(fault);
  });

  test("tells whether a retry can help", () => {
    expect(new Fault("overloaded", "too many requests").retryable).toBe(true);
    expect(new Fault("denied", "the key was refused").retryable).toBe(false);
  });
});
