import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readWorkerMessage } from "../src/job/worker-message.ts";

describe("readWorkerMessage", () => {
  test("never throws, and accepts its own results unchanged", () => {
    const object = fc.record(
      {
        type: fc.constantFrom("started", "step", "done", "failed", "warning", "heartbeat", "other"),
        num_sequences: fc.oneof(fc.integer(), fc.double(), fc.constant("1")),
        step: fc.oneof(fc.integer(), fc.double()),
        metrics: fc.oneof(
          fc.dictionary(fc.string(), fc.oneof(fc.double(), fc.constant(null), fc.string())),
          fc.anything(),
        ),
        files: fc.anything(),
        message: fc.anything(),
        code: fc.anything(),
        retryable: fc.anything(),
        count: fc.anything(),
      },
      { requiredKeys: ["type"] },
    );
    fc.assert(
      fc.property(fc.oneof(object, fc.anything()), (raw) => {
        const read = readWorkerMessage(raw);
        if (!read.ok) expect(read.issues.length).toBeGreaterThan(0);
        else expect(readWorkerMessage(JSON.parse(JSON.stringify(read.value)))).toEqual(read);
      }),
    );
  });

  test("leaves out metrics that are not finite", () => {
    const metrics = { loss: 1, grad_norm: Number.POSITIVE_INFINITY, kl: Number.NaN, old: null };
    expect(readWorkerMessage({ type: "step", step: 1, metrics })).toEqual({
      ok: true,
      value: { type: "step", step: 1, metrics: { loss: 1 } },
    });
  });

  test("accepts any names, even those of an object's own methods", () => {
    const read = readWorkerMessage(
      JSON.parse('{"type":"step","step":1,"metrics":{"__proto__":2,"constructor":3}}'),
    );
    expect(read.ok && read.value.type === "step" && Object.entries(read.value.metrics)).toEqual([
      ["__proto__", 2],
      ["constructor", 3],
    ]);
  });

  test.each([
    [{ type: "done", files: [{ name: "..", sha256: "a".repeat(64), size: 1 }] }, ["files", 0]],
    [{ type: "done", files: [{ name: "a/b", sha256: "a".repeat(64), size: 1 }] }, ["files", 0]],
    [{ type: "done", files: [1, 2].map(() => ({ name: "a", sha256: "a".repeat(64), size: 1 })) }, ["files"]],
    [{ type: "done", metrics: { a: "1" } }, ["metrics", "a"]],
    [{ type: "step", step: 0 }, ["step"]],
    [{ type: "started" }, ["num_sequences"]],
    [{ type: "failed" }, ["message"]],
    [{ type: "warning", message: "rows were cut" }, ["code"]],
    [null, []],
  ])("reports the position of the fault in %j", (raw, path) => {
    const read = readWorkerMessage(raw);
    expect(!read.ok && read.issues[0]?.path).toEqual(path);
  });
});
