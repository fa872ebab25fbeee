// Compares a file in compressed blocks with the bytes that were written.

import { type FileHandle, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CASES, check } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inBlocks, openBlocks } from "../src/compression/block-file.ts";
import { freshDirectory } from "./support.ts";

async function* piecesOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function withFile<T>(bytes: Uint8Array, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(join(freshDirectory(), "blocks"), "w+");
  try {
    await writeFile(handle, bytes);
    return await work(handle);
  } finally {
    await handle.close();
  }
}

async function written(pieces: readonly Uint8Array[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of inBlocks(piecesOf(pieces))) parts.push(part.slice());
  return Buffer.concat(parts);
}

/** Bytes that resemble text, which compresses well, or numbers. */
const piece = fc
  .tuple(fc.constantFrom(0, 1, 100, 8191, 8192, 8193, 30_000), fc.constantFrom(1, 3, 256), fc.nat())
  .map(([length, range, seed]) => {
    let state = seed;
    return Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return 255 - ((state >>> 16) % range);
    });
  });

test("any part of a file in blocks reads as it was written", async () => {
  await check(
    fc.record({
      pieces: fc.array(piece, { maxLength: 4 }),
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      to: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    async ({ pieces, from, to }) => {
      const whole = Buffer.concat(pieces);
      await withFile(await written(pieces), async (handle) => {
        const file = (await openBlocks(handle))!;
        expect(file.size).toBe(whole.length);
        const [start, end] = [from, to].sort((a, b) => a - b).map((at) => Math.floor(at * whole.length));
        for (const [at, length] of [
          [start!, end! - start!],
          [0, whole.length],
          [whole.length, 0],
        ] as const) {
          const expected = new Uint8Array(whole.subarray(at, at + length));
          for (const read of [file.read, file.load]) {
            const into = new Uint8Array(length);
            expect(await read(at, into)).toBe(true);
            expect(into).toEqual(expected);
          }
        }
        const beyond = new Uint8Array(whole.length + 1);
        expect([file.read(0, beyond), await file.load(0, beyond)]).toEqual([false, false]);
      });
    },
    { numRuns: CASES / 100 },
  );
});

test("blocks compressed together stay in order, however long each takes", async () => {
  const words = Array.from({ length: 90_000 }, (_, i) => `${(i * 7919) % 10_007} word `).join("");
  // The first 64 blocks take milliseconds to compress, the last one almost no time.
  const text = Buffer.from(words.slice(0, 64 * 8192 + 100));
  await withFile(await written([text]), async (handle) => {
    const into = new Uint8Array(text.length);
    expect((await openBlocks(handle))!.read(0, into)).toBe(true);
    expect(text.equals(into)).toBe(true);
  });
});

test("texts take less space, and numbers are stored unchanged", async () => {
  expect((await written([Buffer.alloc(1_000_000, "naïve ")])).length).toBeLessThan(20_000);
  const numbers = Buffer.from(Float64Array.from({ length: 125_000 }, (_, i) => i / 1024).buffer);
  expect((await written([numbers])).subarray(0, numbers.length).equals(numbers)).toBe(true);
});

test("truncated and foreign files are not opened, and damage throws nothing", async () => {
  const whole = Buffer.from("so which every was and naïve 東京 ".repeat(1000));
  const good = await written([whole]);
  const truncations = [0, 1, 15, 16, 17, 200, good.length - 1].map((length) => good.subarray(0, length));
  for (const bad of [...truncations, Buffer.alloc(100, 255), Buffer.alloc(100)])
    await withFile(bad, async (handle) => expect(await openBlocks(handle)).toBeUndefined());
  for (let at = 0; at < good.length; at++) {
    const bad = Buffer.from(good);
    bad[at]! ^= 255;
    await withFile(bad, async (handle) => {
      const file = await openBlocks(handle);
      const into = new Uint8Array(whole.length);
      expect(await file?.load(0, into)).toBe(file?.read(0, into));
    });
  }
});
