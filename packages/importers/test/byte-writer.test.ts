import { canonicalJson } from "@assay/calls/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteWriter } from "../src/byte-writer.ts";

test("bytes of a text are quoted as JSON.stringify and as canonicalJson write it", () => {
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
