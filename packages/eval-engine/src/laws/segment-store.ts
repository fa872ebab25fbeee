// Laws of every `SegmentStore`, for implementers.

import type { Law, Open } from "@assay/base";
import { expectSame, lawsFor } from "@assay/base/internal";
import type { SavedSegment, SegmentStore } from "../ports/segment-store.ts";

/** The laws of a `SegmentStore`. `open` creates an empty one each time. */
export function segmentStoreLaws(open: Open<SegmentStore>): readonly Law[] {
  const law = lawsFor(open);
  const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
  const contents = (saved: SavedSegment | undefined): number[] | undefined => {
    if (saved === undefined) return undefined;
    const found = new Uint8Array(saved.size);
    return saved.read(0, found) ? [...found] : undefined;
  };
  const kept = async (store: SegmentStore, project: string, evaluation: string) => {
    const saved = await store.open(project, evaluation);
    const found = contents(saved);
    saved?.close();
    return found;
  };
  return [
    law("what was never saved is undefined", async (store) => {
      expectSame(await store.open("acme/demo", "e"), undefined);
    }),

    law("chunks are joined, and the last save counts", async (store) => {
      await store.save("acme/demo", "e", pieces(bytes(1, 2), bytes(), bytes(3)));
      expectSame(await kept(store, "acme/demo", "e"), [1, 2, 3]);
      await store.save("acme/demo", "e", pieces(bytes(9)));
      expectSame(await kept(store, "acme/demo", "e"), [9]);
    }),

    law("a chunk may change as soon as the next one is requested", async (store) => {
      async function* same(): AsyncGenerator<Uint8Array> {
        const piece = bytes(1);
        yield piece;
        piece.fill(2);
        yield piece;
      }
      await store.save("acme/demo", "e", same());
      expectSame(await kept(store, "acme/demo", "e"), [1, 2]);
    }),

    law("saving returns the saved segment, open", async (store) => {
      const saved = await store.save("acme/demo", "e", pieces(bytes(1, 2, 3)));
      expectSame(contents(saved), [1, 2, 3]);
    }),

    law("any part can be read, and nothing past the end", async (store) => {
      const saved = (await store.save("acme/demo", "e", pieces(bytes(1, 2, 3, 4))))!;
      const into = new Uint8Array(2);
      expectSame(saved.read(1, into), true);
      expectSame([...into], [2, 3]);
      expectSame(saved.read(3, into), false);
      expectSame(saved.read(5, into), false);
      expectSame(await saved.load(0, into), true);
      expectSame([...into], [1, 2]);
      expectSame(await saved.load(3, into), false);
      expectSame(saved.size, 4);
    }),

    law("changing bytes that were read does not change the saved ones", async (store) => {
      const saved = (await store.save("acme/demo", "e", pieces(bytes(1, 2))))!;
      const into = new Uint8Array(2);
      saved.read(0, into);
      into.fill(7);
      expectSame(contents(saved), [1, 2]);
      expectSame(await kept(store, "acme/demo", "e"), [1, 2]);
    }),

    law("an open segment stays unchanged when another one replaces it", async (store) => {
      const saved = await store.save("acme/demo", "e", pieces(bytes(1, 2)));
      const opened = await store.open("acme/demo", "e");
      await store.save("acme/demo", "e", pieces(bytes(7, 8, 9)));
      expectSame(
        [contents(saved), contents(opened)],
        [
          [1, 2],
          [1, 2],
        ],
      );
    }),

    law("a closed segment reads nothing, and others stay readable", async (store) => {
      const saved = (await store.save("acme/demo", "e", pieces(bytes(1))))!;
      const opened = await store.open("acme/demo", "e");
      saved.close();
      saved.close();
      // A segment opened later must not be readable through a closed one.
      const next = await store.open("acme/demo", "e");
      expectSame([contents(saved), contents(opened), contents(next)], [undefined, [1], [1]]);
      expectSame(await saved.load(0, new Uint8Array(1)), false);
    }),

    law("if the chunks break off, the previous save is kept", async (store) => {
      await store.save("acme/demo", "e", pieces(bytes(1)));
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield bytes(2);
        throw new Error("broke off");
      }
      const outcome = await store.save("acme/demo", "e", broken()).then(
        () => "saved",
        () => "failed",
      );
      expectSame([outcome, await kept(store, "acme/demo", "e")], ["failed", [1]]);
    }),

    law("projects and evaluations are kept apart, whatever their names", async (store) => {
      const names = ["a", "a/b", "../a", "", `'"\\\u0000`, "a".repeat(1000), "A", "\u{1f600}"];
      for (const [i, project] of names.entries()) {
        for (const [j, evaluation] of names.entries()) {
          (await store.save(project, evaluation, pieces(bytes(i, j))))?.close();
        }
      }
      for (const [i, project] of names.entries()) {
        for (const [j, evaluation] of names.entries()) {
          expectSame(await kept(store, project, evaluation), [i, j]);
        }
      }
    }),
  ];
}

async function* pieces(...all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}
