// The laws of an artifact store.

import { Fault, type Law, type Open } from "@assay/base";
import { expectSame, expectThat, lawsFor } from "@assay/base/internal";
import type { ArtifactStore } from "../ports/artifact-store.ts";

const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const bytes = (text: string) => new TextEncoder().encode(text);

/** The laws of an `ArtifactStore`. `open` creates an empty store each time. */
export function artifactStoreLaws(open: Open<ArtifactStore>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("a blob is named by the SHA-256 of its bytes, however they are chunked", async (store) => {
      expectSame(await store.write([bytes("abc")]), { sha256: ABC, size: 3 }, "written whole");
      expectSame(await store.write(pieces("a", "", "bc")), { sha256: ABC, size: 3 }, "written in pieces");
      expectSame(await store.write([]), { sha256: EMPTY, size: 0 }, "written empty");
    }),

    law("read returns the bytes that were written, every time", async (store) => {
      await store.write([bytes("abc")]);
      for (let i = 0; i < 2; i++) expectSame(await text(store, ABC), "abc", "read");
    }),

    law("a reader that changes its bytes does not change the blob", async (store) => {
      await store.write([bytes("abc")]);
      for await (const piece of store.read(ABC)) piece.fill(0);
      expectSame(await text(store, ABC), "abc", "read again");
    }),

    law("find tells whether a blob exists", async (store) => {
      expectSame(await store.find(ABC), undefined, "before");
      await store.write([bytes("abc")]);
      expectSame(await store.find(ABC), { sha256: ABC, size: 3 }, "after");
      expectSame(await store.find(EMPTY), undefined, "another");
    }),

    law("reading an unknown blob throws the fault `missing`", async (store) => {
      const error = await text(store, ABC).catch((thrown: unknown) => thrown);
      expectThat(
        error instanceof Fault && error.code === "missing",
        `expected the fault missing, got ${String(error)}`,
      );
    }),

    law("a removed blob is gone, others remain, and removing it again does nothing", async (store) => {
      await store.write([bytes("abc")]);
      await store.write([]);
      await store.remove(ABC);
      await store.remove(ABC);
      expectSame(await store.find(ABC), undefined, "removed");
      expectSame(await store.find(EMPTY), { sha256: EMPTY, size: 0 }, "the other");
      expectSame(await store.write([bytes("abc")]), { sha256: ABC, size: 3 }, "written again");
    }),

    law("an interrupted write keeps nothing", async (store) => {
      const error = await store.write(brokenOff()).catch((thrown: unknown) => thrown);
      expectThat(error instanceof Error, "the write must reject");
      expectSame(await store.find(ABC), undefined, "the part that came");
    }),
  ];
}

async function* pieces(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const one of texts) yield bytes(one);
}

async function* brokenOff(): AsyncIterable<Uint8Array> {
  yield bytes("abc");
  throw new Error("broke off");
}

async function text(store: ArtifactStore, name: string): Promise<string> {
  const decoder = new TextDecoder();
  let whole = "";
  for await (const piece of store.read(name)) whole += decoder.decode(piece, { stream: true });
  return whole + decoder.decode();
}
