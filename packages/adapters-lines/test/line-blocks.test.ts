import { expect, test } from "vitest";
import { readLines } from "../src/index.ts";
import { bytesOf } from "./support.ts";

test("lines come whole however the bytes are cut, and too long ones not at all", async () => {
  const text = "one\ntwö\n\nfour\r\nfive";
  for (let size = 1; size < 9; size++) {
    const pieces: Uint8Array[] = [];
    for (let i = 0; i < Buffer.byteLength(text); i += size)
      pieces.push(Buffer.from(text).subarray(i, i + size));
    const lines: (string | undefined)[] = [];
    for await (const some of readLines(bytesOf(...pieces), 4)) {
      lines.push(...some.map((bytes) => bytes && Buffer.from(bytes).toString()));
    }
    expect(lines).toEqual(["one", "twö", "", undefined, "five"]);
  }
});
