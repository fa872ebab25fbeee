import fc from "fast-check";
import { expect, test } from "vitest";
import { readEvents } from "../src/sse-reader.ts";

async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts, bytes.length].sort((a, b) => a - b)) {
    yield bytes.subarray(from, cut);
    from = Math.max(from, cut);
  }
}

async function read(text: string, cuts: readonly number[] = []): Promise<readonly string[]> {
  const bytes = new TextEncoder().encode(text);
  const all: string[] = [];
  for await (const data of readEvents(
    pieces(
      bytes,
      cuts.map((cut) => cut % (bytes.length + 1)),
    ),
  ))
    all.push(...data);
  return all;
}

test("wherever the bytes are split, the events are the same", async () => {
  const event = fc.constantFrom(
    "data: é😀\n\n",
    "data: a\r\n\r\n",
    ": ping\n\n",
    "event: x\ndata:b\n\n",
    "data: 1\ndata: 2\n\n",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      async (all, cuts) => {
        const text = all.join("");
        expect(await read(text, cuts)).toEqual(await read(text));
      },
    ),
  );
  expect(await read("data: é😀\n\ndata: a\r\n\r\n: ping\n\ndata: 1\ndata: 2\n\ndata: half")).toEqual([
    "é😀",
    "a",
    "1\n2",
  ]);
});

test("an endless event is a fault before it fills the memory", async () => {
  let given = 0;
  async function* endless() {
    yield new TextEncoder().encode("data: ");
    for (;;) {
      given += 65_536;
      yield new Uint8Array(65_536).fill(120);
    }
  }
  const drain = async () => {
    for await (const _data of readEvents(endless()));
  };
  await expect(drain()).rejects.toMatchObject({ code: "corrupt" });
  expect(given).toBeLessThan(5 * 2 ** 20);
});
