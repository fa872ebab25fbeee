import fc from "fast-check";
import { expect, test } from "vitest";
import { lineChunks } from "../src/files/line-chunks.ts";

async function* streamOf(pieces: readonly string[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

test("chunks are whole lines that join to the stream, each with the number of lines before it", async () => {
  // A small pool, so that line ends fall everywhere.
  const text = fc
    .array(fc.constantFrom("a", "é", "\n", "bb", ""), { maxLength: 12 })
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      async (texts, size) => {
        const pieces: string[] = [];
        for await (const { bytes, linesBefore } of lineChunks(streamOf(texts), size)) {
          expect(linesBefore).toBe(pieces.join("").split("\n").length - 1);
          expect(bytes.length).toBeGreaterThan(0);
          pieces.push(Buffer.from(bytes).toString());
        }
        expect(pieces.join("")).toBe(texts.join(""));
        for (const piece of pieces.slice(0, -1)) expect(piece.endsWith("\n")).toBe(true);
      },
    ),
  );
});
