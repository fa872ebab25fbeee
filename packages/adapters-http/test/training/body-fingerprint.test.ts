import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bodyFingerprint } from "../../src/training/request/body-fingerprint.ts";

function fingerprint(text: string, step: number): string {
  const bytes = Buffer.from(text);
  const taken = bodyFingerprint();
  for (let i = 0; i < bytes.length; i += step) taken.push(bytes.subarray(i, i + step));
  return taken.digest();
}

test("a body's fingerprint ignores white space, and does not depend on how the body arrives", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 40 }), (value, step) => {
      const text = JSON.stringify(value);
      const wanted = createHash("sha256").update(text).digest("hex");
      expect(fingerprint(text, step)).toBe(wanted);
      expect(fingerprint(JSON.stringify(value, null, 2), step)).toBe(wanted);
      expect(fingerprint(JSON.stringify(value, null, "\t"), step)).toBe(wanted);
    }),
  );
});

test.each([
  ['{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['["a b"]', '["a  b"]'],
  ['["\\" "]', '["\\""]'],
  ["[1]", "[1.0]"],
])("%s is a different body from %s", (one, other) => {
  expect(fingerprint(one, 3)).not.toBe(fingerprint(other, 3));
});
