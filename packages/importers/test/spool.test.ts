// Spooled records come back unchanged: by stream, in order, from memory or the scratch file.

import { expect, test } from "vitest";
import { type Scratch, Spool, type SpoolStream } from "../src/spool/spool.ts";

function memoryScratch(): Scratch & { readonly pieces: Uint8Array[] } {
  const pieces: Uint8Array[] = [];
  return {
    pieces,
    async append(bytes) {
      pieces.push(bytes.slice());
    },
    async read(start, into) {
      const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
      let at = 0;
      for (const piece of pieces) {
        all.set(piece, at);
        at += piece.length;
      }
      into.set(all.subarray(start, start + into.length));
    },
  };
}

async function linesOf(spool: Spool, stream: SpoolStream): Promise<readonly string[]> {
  let text = "";
  for await (const some of spool.read(stream)) {
    expect(some.at(-1)).toBe(0x0a);
    text += new TextDecoder().decode(some);
  }
  return text.split("\n").slice(0, -1);
}

function add(spool: Spool, stream: SpoolStream, line: string): void {
  const bytes = new TextEncoder().encode(`${line}\n`);
  const at = spool.add(stream, bytes.length);
  stream.open.set(bytes, at);
}

test.each([
  ["few streams with long lines", 3, 280, 300_000],
  ["many streams with short ones", 2000, 20_000, 40],
])("%s", async (_, streams, count, length) => {
  const scratch = memoryScratch();
  const spool = new Spool(scratch);
  const put = Array.from({ length: streams }, () => ({ stream: spool.stream(), lines: [] as string[] }));
  for (let i = 0; i < count; i++) {
    const { stream, lines } = put[(i * 7) % streams]!;
    // Every length up to the longest, with characters of one to four bytes.
    const line = `${i} é漢😀`.padEnd((i * 7919) % length, "x");
    lines.push(line);
    add(spool, stream, line);
    await spool.settle();
  }
  for (const { stream, lines } of put) expect(await linesOf(spool, stream)).toEqual(lines);
  // Only data that does not fit in memory goes to the scratch file.
  expect(scratch.pieces.length > 0).toBe(length > 1000);
  const [first] = put;
  add(spool, first!.stream, "behind");
  expect((await linesOf(spool, first!.stream)).at(-1)).toBe("behind");
});
