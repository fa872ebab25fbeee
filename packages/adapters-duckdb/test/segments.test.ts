// What only files can get wrong: names that vanish while a file is open, directories that are not writable, damage on
// disk, and leaked descriptors.

import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callOf, textOf } from "@assay/calls/testing";
import { createEvalEngine, type EvalResultsQueryBody } from "@assay/eval-engine";
import { describe, expect, test } from "vitest";
import type { Store } from "../src/index.ts";
import { freshDirectory, openHere } from "./support.ts";

const P = "acme/demo";
const TRIALS = 200;

/** A directory with an evaluation whose texts fill many blocks. */
async function filled(): Promise<string> {
  const directory = freshDirectory();
  const store = await openHere(directory);
  const trials = Array.from({ length: TRIALS }, (_, i) =>
    callOf(`trial-${i}`, "e", {
      op_name: "weave:///acme/demo/op/Evaluation.predict_and_score:v1",
      inputs: { example: { question: i } },
      output: { output: `${i} ${"and on ".repeat(50)}`, scores: { exam: i / TRIALS } },
    }),
  );
  await store.calls.put(P, [callOf("e", null), ...trials].map(textOf));
  await store.close();
  return directory;
}

const page = (offset: number): EvalResultsQueryBody => ({
  evaluation_call_ids: ["e"],
  include_raw_data_rows: true,
  limit: 50,
  offset,
});

const segmentsOf = (directory: string): string[] =>
  readdirSync(join(directory, "segments")).map((name) => join(directory, "segments", name));

async function expectRight(store: Store, engine = createEvalEngine(store)): Promise<void> {
  for (let offset = 0; offset < TRIALS; offset += 50) {
    const columns = await engine.query(P, page(offset));
    expect(columns.rows).toHaveLength(50);
    expect(columns).toEqual(await engine.query(P, page(offset), { plan: "naive" }));
  }
}

describe("a saved segment", () => {
  test("stays readable when its file is deleted", async () => {
    const directory = await filled();
    const store = await openHere(directory);
    const engine = createEvalEngine(store);
    await engine.open(P, ["e"]);
    rmSync(join(directory, "segments"), { recursive: true });
    await expectRight(store, engine);
    expect((await engine.explain(P, page(0))).evaluations[0]!.opened).toBe("kept");
  });

  test("is read in read-only mode, and built in memory if there is none", async () => {
    const directory = await filled();
    const readOnly = await openHere(directory, { readOnly: true });
    await expectRight(readOnly);
    await readOnly.close();
    expect(readdirSync(directory)).not.toContain("segments");

    const writer = await openHere(directory);
    await createEvalEngine(writer).open(P, ["e"]);
    await writer.close();
    const reader = await openHere(directory, { readOnly: true });
    const engine = createEvalEngine(reader);
    expect((await engine.explain(P, page(0))).evaluations[0]!.opened).toBe("loaded");
    await expectRight(reader, engine);
  });

  test("leaves no partial file after a kill while saving", async () => {
    const directory = await filled();
    const first = await openHere(directory);
    await createEvalEngine(first).open(P, ["e"]);
    await first.close();
    const [whole] = segmentsOf(directory);
    // The state that the process leaves: half of the file, under its temporary name.
    writeFileSync(`${whole}.6e0f4c9a-0000-4000-8000-000000000000`, readFileSync(whole!).subarray(0, 1000));
    rmSync(whole!);
    const second = await openHere(directory);
    await expectRight(second);
    await second.close();
    expect(segmentsOf(directory)).toEqual([whole]);
  });

  test("that is damaged, truncated or of another format is rebuilt, even where it cannot be replaced", async () => {
    const directory = await filled();
    const first = await openHere(directory);
    await createEvalEngine(first).open(P, ["e"]);
    await first.close();
    const [file] = segmentsOf(directory);
    const good = readFileSync(file!);
    const middle = Buffer.from(good);
    middle[good.length >> 1]! ^= 1;
    for (const bad of [
      middle,
      good.subarray(0, -1),
      good.subarray(0, 10),
      Buffer.alloc(0),
      Buffer.alloc(9000, 1),
    ]) {
      for (const readOnly of [true, false]) {
        writeFileSync(file!, bad);
        const store = await openHere(directory, { readOnly });
        await expectRight(store);
        await store.close();
        expect(readFileSync(file!).equals(bad)).toBe(readOnly);
      }
      expect(segmentsOf(directory)).toEqual([file]);
    }
  });

  test.runIf(process.platform === "linux")("leaves no unneeded descriptor open", async () => {
    const directory = await filled();
    const descriptors = () =>
      readdirSync("/proc/self/fd").filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(join(directory, "segments"));
        } catch {
          return false;
        }
      }).length;
    const store = await openHere(directory);
    const forgets = createEvalEngine({ ...store, keepBytes: 0 });
    await expectRight(store, forgets);
    await expect.poll(descriptors).toBe(0);
    const engine = createEvalEngine(store);
    await expectRight(store, engine);
    expect(descriptors()).toBe(1);
    await store.calls.put(P, [textOf(callOf("late", "e"))]);
    await engine.query(P, page(0));
    expect(descriptors()).toBe(1);
    await store.close();
    expect(descriptors()).toBe(0);
  });
});
