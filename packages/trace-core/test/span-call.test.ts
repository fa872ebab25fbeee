import type { Json } from "@assay/base";
import { MAX_CALL_DEPTH, nestsDeeper } from "@assay/calls/internal";
import { expect, test } from "vitest";
import { callOfSpan } from "../src/otlp/span-call.ts";

const callWith = (input: string) =>
  callOfSpan("acme/demo", {
    ...{ traceId: "t", spanId: "s", parentId: null, name: "chat", kind: 1, error: null, scope: null },
    ...{ startedAt: "2026-01-01T00:00:00Z", endedAt: null, events: [], links: [], resource: {} },
    attributes: { "input.value": input },
  });

test("a structure in a text is parsed, unless it is too large for a call", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  expect(callWith('[{"a": 1}]').inputs).toEqual({ input: [{ a: 1 }] });
  for (const levels of [1, 180, 198, 201, 1_000_000]) {
    const call = callWith(nested(levels));
    expect(nestsDeeper(call.inputs as Json, MAX_CALL_DEPTH - 1)).toBe(false);
    if (levels > MAX_CALL_DEPTH) expect(call.inputs).toEqual({ input: nested(levels) });
  }
  const many = `[${"{},".repeat(4_000_000)}0]`;
  expect(callWith(many).inputs).toEqual({ input: many });
});
