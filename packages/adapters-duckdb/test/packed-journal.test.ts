// Packed journals: reading records back, reading the file with other tools, and the effects of damage.

import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { callOf, textOf } from "@assay/calls/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { repairDirectory } from "../src/index.ts";
import { openJournal, type RecordLocation } from "../src/records/journal.ts";
import { blockOf, openPackedJournal, PACKED, packingJournal } from "../src/records/packed-journal.ts";
import { faultOf, freshDirectory, openHere, treesOf } from "./support.ts";

const P = "acme/demo";

async function opened(directory: string, known = 0) {
  const plain = await openJournal(join(directory, "plain"), 0, false);
  const packed = await openPackedJournal(join(directory, "packed.gz"), known, false);
  return packingJournal(plain, packed, 1);
}

const trialsOf = (root: string, count: number) =>
  Array.from({ length: count }, (_, i) =>
    textOf(
      callOf(`${root}-${String(i).padStart(4, "0")}`, root, {
        op_name: "Evaluation.predict_and_score",
        output: { output: "word ".repeat(20 + (i % 7)), scores: {} },
      }),
    ),
  );

test("records of any length can be read by their positions in any order, even after reopening the journal", async () => {
  const length = fc.oneof(fc.nat({ max: 400 }), fc.integer({ min: 65_200, max: 65_400 }));
  const given = fc.array(fc.array(length, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(given, fc.infiniteStream(fc.nat()), async (batches, order) => {
      const directory = freshDirectory();
      const journal = await opened(directory);
      const all: { readonly text: string; readonly location: RecordLocation }[] = [];
      for (const lengths of batches) {
        const texts = lengths.map((one, i) => `${i}`.padEnd(one, "abc").slice(0, one));
        const locations = await journal.append(texts.map((text) => Buffer.from(text)));
        all.push(...texts.map((text, i) => ({ text, location: locations[i]! })));
      }
      await journal.close();
      const again = await opened(directory);
      const shuffled = all
        .map((one) => ({ one, key: order.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one);
      expect(again.texts(shuffled.map(({ location }) => location))).toEqual(shuffled.map(({ text }) => text));
      for (const { text, location } of shuffled.slice(0, 3))
        expect(Buffer.concat((await again.pieces(location))!).toString()).toBe(text);
      await again.close();
      const isPacked = ({ location }: (typeof all)[number]) => location.at >= PACKED;
      const bytes = readFileSync(join(directory, "packed.gz"));
      expect(bytes.length === 0 ? "" : gunzipSync(bytes).toString()).toBe(
        all
          .filter(isPacked)
          .map(({ text }) => `${text}\n`)
          .join(""),
      );
      expect(readFileSync(join(directory, "plain"), "utf8")).toBe(
        all
          .filter((one) => !isPacked(one))
          .map(({ text }) => `${text}\n`)
          .join(""),
      );
      expect(all.filter((one) => !isPacked(one)).every(({ text }) => text.length >= 65_280)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test("an import is packed on disk, a few calls are not", async () => {
  const directory = freshDirectory();
  const store = await openHere(directory);
  await store.calls.put(P, trialsOf("few", 3));
  expect(statSync(join(directory, "calls.jsonl.gz")).size).toBe(0);
  const trials = trialsOf("many", 5000);
  await store.calls.put(P, trials);
  const size = trials.reduce((sum, { text }) => sum + text.length, 0);
  expect(statSync(join(directory, "calls.jsonl.gz")).size).toBeLessThan(size / 5);
  expect(await treesOf(store.calls, P, "few")).toHaveLength(3);
  expect(await treesOf(store.calls, P, "many")).toHaveLength(5000);
  expect(await store.calls.put(P, trials)).toBe(0);
});

/** A directory with six hundred packed calls in several blocks, and one unpacked call. */
async function packedDirectory() {
  const directory = freshDirectory();
  const store = await openHere(directory, { packedFrom: 10_000 });
  await store.calls.put(P, trialsOf("root", 600));
  await store.calls.put(P, trialsOf("plain", 1));
  const [locations] = await store.database.columns("SELECT DISTINCT place FROM calls");
  await store.close();
  const blocks = [
    ...new Set((locations as readonly number[]).filter((at) => at >= PACKED).map((at) => blockOf({ at }))),
  ];
  return { directory, file: join(directory, "calls.jsonl.gz"), blocks: blocks.sort((a, b) => a - b) };
}

test("a damaged block is reported with its byte; other calls can be read, and putting its calls again repairs them", async () => {
  const { directory, file, blocks } = await packedDirectory();
  expect(blocks.length).toBeGreaterThan(1);
  const bytes = readFileSync(file);
  bytes[blocks[1]! + 40]! ^= 0xff;
  writeFileSync(file, bytes);
  const store = await openHere(directory);
  const { message, code } = await faultOf(treesOf(store.calls, P, "root"));
  expect([code, message]).toEqual([
    "corrupt",
    expect.stringContaining(`calls.jsonl.gz is damaged at byte ${blocks[1]}`),
  ]);
  expect(await treesOf(store.calls, P, "plain")).toHaveLength(1);
  await store.close();
  expect((await repairDirectory(directory)).lost).toEqual([
    expect.stringMatching(
      new RegExp(`calls\\.jsonl\\.gz: \\d+ records of calls are damaged, the first at byte ${blocks[1]}:`),
    ),
  ]);
  const again = await openHere(directory);
  expect(await again.calls.put(P, trialsOf("root", 600))).toBeGreaterThan(0);
  expect(await treesOf(again.calls, P, "root")).toHaveLength(600);
});

test("a packed journal with a truncated end is refused, and the doctor removes only the lost records from the index", {
  tags: ["long"],
}, async () => {
  for (const cut of ["in the middle of a block", "in a header", "between blocks"]) {
    const { directory, file, blocks } = await packedDirectory();
    const last = blocks.at(-1)!;
    truncateSync(
      file,
      last + { "in the middle of a block": 100, "in a header": 7, "between blocks": 0 }[cut]!,
    );
    expect((await faultOf(openHere(directory))).message, cut).toContain("calls.jsonl.gz ends at byte");
    expect((await repairDirectory(directory)).lost, cut).toEqual([
      expect.stringMatching(/calls\.jsonl\.gz ends at byte \d+: \d+ records of calls/),
    ]);
    const store = await openHere(directory);
    const trees = await treesOf(store.calls, P, "root");
    expect(trees.length, cut).toBeGreaterThan(0);
    expect(trees.length, cut).toBeLessThan(600);
    expect(await treesOf(store.calls, P, "plain"), cut).toHaveLength(1);
    expect((await repairAfter(store, directory)).lost, cut).toEqual([]);
  }
});

async function repairAfter(store: { close(): Promise<void> }, directory: string) {
  await store.close();
  return repairDirectory(directory);
}

test("data left by a killed writer stays, and does not join the records after it", async () => {
  const { directory, file } = await packedDirectory();
  writeFileSync(file, Buffer.alloc(1000, 7), { flag: "a" });
  const store = await openHere(directory, { packedFrom: 10_000 });
  await store.calls.put(P, trialsOf("next", 300));
  expect(await treesOf(store.calls, P, "next")).toHaveLength(300);
  await store.close();
  const again = await openHere(directory);
  expect(await treesOf(again.calls, P, "root")).toHaveLength(600);
  expect(await treesOf(again.calls, P, "next")).toHaveLength(300);
});
