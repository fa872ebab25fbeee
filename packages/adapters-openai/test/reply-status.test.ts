import { Fault } from "@assay/base";
import { describe, expect, test } from "vitest";
import { refusalOf, statusOfError } from "../src/reply-status.ts";

const refusal = (status: number, body: unknown = {}, retryAfter?: string) => {
  try {
    return refusalOf({ status, body, retryAfter, now: Date.parse("2026-01-01T00:00:00Z") });
  } catch (error) {
    return error instanceof Fault ? error.code : error;
  }
};

describe("a status is unchanged", () => {
  test.each([
    [400, "rejected"],
    [402, "quota"],
    [404, "unknown_model"],
    [413, "rejected"],
    [422, "rejected"],
    [429, "limited"],
    [500, "failed"],
    [501, "failed"],
    [503, "overloaded"],
    [529, "overloaded"],
  ])("%i is a refusal: %s", (status, code) => {
    expect(refusal(status)).toMatchObject({ code });
  });

  test.each([
    [204, "corrupt"],
    [302, "corrupt"],
    [401, "denied"],
    [403, "denied"],
    [408, "timeout"],
    [502, "unavailable"],
    [504, "unavailable"],
  ])("%i is a fault: %s", (status, code) => {
    expect(refusal(status)).toBe(code);
  });
});

test("the time to wait is a number of seconds or a date", () => {
  expect(refusal(429, {}, "7")).toMatchObject({ retryAfter: 7 });
  expect(refusal(503, {}, "Thu, 01 Jan 2026 00:00:30 GMT")).toMatchObject({ retryAfter: 30 });
  expect(refusal(503, {}, "Thu, 01 Jan 2015 00:00:00 GMT")).toMatchObject({ retryAfter: 0 });
  expect(refusal(503, {}, "99999999")).toMatchObject({ retryAfter: 3600 });
  for (const none of [undefined, "soon", "-5", "1e3"])
    expect(refusal(503, {}, none)).not.toHaveProperty("retryAfter");
});

test("an engine's message about an invalid request is found in all known fields, and cut", () => {
  const bodies = [
    { error: { message: "too long", param: "messages" } },
    { error: "too long" },
    { detail: "too long" },
    { message: "too long" },
  ];
  for (const body of bodies) expect(refusal(400, body)).toMatchObject({ message: "too long" });
  expect(refusal(400, bodies[0])).toMatchObject({ param: "messages" });
  expect((refusal(400, { error: "x".repeat(9999) }) as { message: string }).message).toHaveLength(2000);
  for (const body of [undefined, null, 7, "text", { error: { message: 7 } }]) {
    expect(refusal(400, body)).toMatchObject({ message: "the engine refused the request" });
  }
});

test("an error without a status gets that of its kind", () => {
  expect(statusOfError({ code: 404 })).toBe(404);
  expect(statusOfError({ code: "429" })).toBe(429);
  expect(statusOfError({ type: "BadRequestError", code: null })).toBe(400);
  expect(statusOfError({ code: "model_not_found" })).toBe(404);
  expect(statusOfError({ code: { toString: 1 }, status: 429 })).toBe(429);
  for (const other of [{}, "text", null, { code: 200 }, { code: "x" }])
    expect(statusOfError(other)).toBe(500);
});
