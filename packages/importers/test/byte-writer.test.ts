import { canonicalJson } from "@assay/calls/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteWriter, rewriteEscapes } from "../src/collections/byte-writer.ts";

test("bytes of a text are quoted like JSON.stringify and canonicalJson", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, isDoubled) => {
      const bytes = new TextEncoder().encode(isDoubled ? text.replaceAll('"', '""') : text);
      const quoted = (isAscii: boolean) => {
        const writer = new ByteWriter(1);
        writer.quoted(bytes, 0, bytes.length, isDoubled, isAscii);
        return new TextDecoder().decode(writer.written());
      };
      expect(quoted(false)).toBe(JSON.stringify(text));
      expect(quoted(true)).toBe(canonicalJson(text));
    }),
  );
});

const escaped = fc.oneof(
  fc.constantFrom('\\"', "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\ud83d\\ude00", "a", "é", "😀"),
  fc.integer({ min: 0, max: 0xffff }).map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`),
  fc.constantFrom("\\uD83D", "\\uDe00", "\\u00E9", "\\u001F"),
);

test("a JSON text is rewritten like JSON.stringify", () => {
  fc.assert(
    fc.property(fc.array(escaped), (parts) => {
      const text = `"${parts.join("")}"`;
      const bytes = new TextEncoder().encode(`-${text}-`);
      const end = rewriteEscapes(bytes, 1, bytes.length - 1);
      expect(new TextDecoder().decode(bytes.subarray(1, end))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
  const broken = new TextEncoder().encode('"\\u12g4"');
  expect(rewriteEscapes(broken, 0, broken.length)).toBe(-1);
});
