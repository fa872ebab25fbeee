// What every `SegmentStore` must do, for those who write one.

import { expectSame, type Law, lawsFor, type Open } from "@assay/base";
import type { SegmentStore } from "../ports/segment-store.ts";

/** The laws of a `SegmentStore`. `open` makes a fresh, empty one each time. */
export function segmentStoreLaws(open: Open<SegmentStore>): readonly Law[] {
  const law = lawsFor(open);
  const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
  const loaded = async (
    store: SegmentStore,
    project: string,
    evaluation: string,
  ): Promise<number[] | undefined> => {
    const found = await store.load(project, evaluation);
    return found === undefined ? undefined : [...found];
  };
  return [
    law("what was never saved is undefined", async (store) => {
      expectSame(await loaded(store, "acme/demo", "e"), undefined);
    }),

    law("pieces come back as one, and the last save is what counts", async (store) => {
      await store.save("acme/demo", "e", [bytes(1, 2), bytes(), bytes(3)]);
      expectSame(await loaded(store, "acme/demo", "e"), [1, 2, 3]);
      await store.save("acme/demo", "e", [bytes(9)]);
      expectSame(await loaded(store, "acme/demo", "e"), [9]);
    }),

    law("what was loaded may be changed without changing what was saved", async (store) => {
      await store.save("acme/demo", "e", [bytes(1, 2)]);
      (await store.load("acme/demo", "e"))!.fill(7);
      expectSame(await loaded(store, "acme/demo", "e"), [1, 2]);
    }),

    law("projects and evaluations are kept apart, whatever they are called", async (store) => {
      const names = ["a", "a/b", "../a", "", `'"\\\u0000`, "a".repeat(1000), "A", "\u{1f600}"];
      for (const [i, project] of names.entries()) {
        for (const [j, evaluation] of names.entries()) await store.save(project, evaluation, [bytes(i, j)]);
      }
      for (const [i, project] of names.entries()) {
        for (const [j, evaluation] of names.entries()) {
          expectSame(await loaded(store, project, evaluation), [i, j]);
        }
      }
    }),
  ];
}
