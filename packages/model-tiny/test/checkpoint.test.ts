import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { Fault } from "@assay/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeCheckpoint, encodeCheckpoint } from "../src/model/checkpoint.ts";
import { baseModel, contextOf, copyModel, createModel, type TinyModel } from "../src/model/model.ts";
import { planSft, type SftRow } from "../src/training/sft.ts";

const SHAPE = { window: 8, embedding: 4, hidden: 8 };
const ROWS: readonly SftRow[] = ["red", "green", "blue"].map((colour) => ({
  messages: [
    { role: "user", content: colour },
    { role: "assistant", content: colour.toUpperCase() },
  ],
}));
// Compares digests, because comparing large typed arrays one by one is slow.
const digest = (model: TinyModel) => createHash("sha256").update(encodeCheckpoint(model)).digest("hex");
const train = (model: TinyModel, epochs: number) => [...planSft(ROWS, { epochs, batchSize: 3 }).run(model)];

describe("checkpoints", () => {
  test("load bit for bit, and training continues as if it had not stopped", () => {
    const model = createModel(9, SHAPE);
    train(model, 3);
    const bytes = encodeCheckpoint(model);
    const loaded = decodeCheckpoint(bytes);
    expect(digest(loaded)).toBe(digest(model));
    train(model, 3);
    train(loaded, 3);
    expect(digest(loaded)).toBe(digest(model));
  });

  test("load from the middle of a larger buffer", () => {
    const bytes = encodeCheckpoint(createModel(9, SHAPE));
    const larger = new Uint8Array(bytes.length + 3);
    larger.set(bytes, 3);
    expect(digest(decodeCheckpoint(larger.subarray(3)))).toBe(digest(createModel(9, SHAPE)));
  });

  test("of the first version still load, with the shape of that version", () => {
    const old = createModel(4, SHAPE);
    old.updates = 3;
    const bytes = encodeCheckpoint(old);
    // The weights start 16 bytes earlier, and the checksum differs.
    const first = new Uint8Array(bytes.length - 16);
    first.set(bytes.subarray(0, 24));
    first.set(bytes.subarray(40, bytes.length - 4), 24);
    const view = new DataView(first.buffer);
    view.setUint32(8, 1, true);
    view.setUint32(first.length - 4, crc32(first.subarray(0, -4)), true);
    const loaded = decodeCheckpoint(first);
    expect(loaded.shape).toEqual(SHAPE);
    expect(contextOf(loaded)).toBe(SHAPE.window);
    expect(digest(loaded)).toBe(digest(old));
  });

  test("any flipped bit and any truncation is a fault, never another model", () => {
    const bytes = encodeCheckpoint(createModel(9, { window: 1, embedding: 4, hidden: 4 }));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(7), fc.boolean(), (at, bit, cut) => {
        const damaged = cut ? bytes.slice(0, at) : bytes.with(at, bytes[at]! ^ (1 << bit));
        expect(() => decodeCheckpoint(damaged)).toThrow(Fault);
      }),
      { numRuns: 200 },
    );
  });
});

describe("baseModel", () => {
  test("is the same model for the same name, and undefined for an unknown one", () => {
    expect(digest(baseModel("assay/tiny")!)).toBe(digest(baseModel("assay/tiny")!));
    expect(digest(baseModel("assay/tiny-7")!)).not.toBe(digest(baseModel("assay/tiny")!));
    for (const name of ["assay/tiny-", "assay/tiny-0", "ASSAY/TINY", "assay/tiny-1e9", "org/model"]) {
      expect(baseModel(name)).toBeUndefined();
    }
  });

  test("has independent copies", () => {
    const model = createModel(9, SHAPE);
    const copy = copyModel(model);
    train(copy, 1);
    expect(digest(model)).toBe(digest(createModel(9, SHAPE)));
    expect(copy.updates).toBe(1);
  });
});
