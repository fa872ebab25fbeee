import { describe, expect, test } from "vitest";
import { Fault } from "../src/index.ts";

describe("Fault", () => {
  test("keeps what it was made from, and a fault stays itself", () => {
    const cause = new Error("EIO");
    const fault = Fault.from(cause, "unavailable", "the store is down");
    expect(fault.cause).toBe(cause);
    expect(Fault.from(fault, "corrupt", "something else")).toBe(fault);
  });

  test("says whether trying again can help", () => {
    expect(new Fault("overloaded", "too many requests").retryable).toBe(true);
    expect(new Fault("denied", "the key was refused").retryable).toBe(false);
  });
});
