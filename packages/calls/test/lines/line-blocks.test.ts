import { expect, test } from "vitest";
import { lineBlocks, linesIn } from "../../src/lines/line-blocks.ts";
import { bytesOf } from "./support.ts";

test("lines arrive whole however the bytes are cut, except those that are too long", async () => {
  const text = "one\ntwö\n\nfour\r\nfive\nseventeen bytes..\n\nend";
  for (let size = 1; size < 50; size++) {
    const pieces: Uint8Array[] = [];
    for (let i = 0; i < Buffer.byteLength(text); i += size)
      pieces.push(Buffer.from(text).subarray(i, i + size));
    const lines: (string | undefined)[] = [];
    for await (const block of lineBlocks(bytesOf(...pieces), 4))
      lines.push(...linesIn(block, 4).map((line) => line?.toString()));
    expect(lines).toEqual(["one", "twö", "", undefined, "five", undefined, "", "end"]);
  }
});

test("nothing is kept of lines that are too long, and their neighbours are complete", async () => {
  const long = Buffer.alloc(100_000, "x");
  const blocks: (string | undefined)[] = [];
  const pieces = [Buffer.from("a\nb"), long, long, Buffer.from("\nc\n"), long, Buffer.from("\n"), long];
  for await (const block of lineBlocks(bytesOf(...pieces), 1000))
    blocks.push(block && Buffer.from(block).toString());
  expect(blocks).toEqual(["a\n", undefined, "c\n", undefined, undefined]);
});
