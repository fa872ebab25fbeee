// Laws of `RowSource`.

import type { Law, Open } from "@assay/base";
import { expectSame, lawsFor } from "@assay/base/internal";
import type { RowSource } from "../ports/row-source.ts";
import type { DatasetRow } from "../row/dataset-row.ts";
import { MANY } from "./many.ts";

/** A source to test, and a way to write rows to it. */
export interface WritableRows {
  /** The source. */
  readonly source: RowSource;
  /** Writes rows for the source to find. */
  readonly put: (project: string, rows: readonly DatasetRow[]) => Promise<void>;
}

const P = "acme/demo";
const ref = (digest: string, dataset = "rows:v1"): string =>
  `weave:///acme/demo/object/${dataset}/attr/rows/id/${digest}`;

/** The laws of a `RowSource`. `open` creates a new, empty one each time. */
export function rowSourceLaws(open: Open<WritableRows>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("rows come in the order asked, and what is not there is undefined", async ({ source, put }) => {
      await put(P, [
        { digest: "a", val: { x: 1 } },
        { digest: "b", val: [null, "é"] },
      ]);
      expectSame(await source.rows(P, [ref("b"), ref("none"), ref("a"), ref("b")]), [
        [null, "é"],
        undefined,
        { x: 1 },
        [null, "é"],
      ]);
    }),

    law("rows come, however many are asked for", async ({ source, put }) => {
      const many = Array.from({ length: MANY }, (_, i) => ({ digest: `d${i}`, val: i }));
      await put(P, many);
      const refs = many.map(({ digest }) => ref(digest));
      expectSame(await source.rows(P, refs.toReversed()), many.map(({ val }) => val).toReversed());
    }),

    law("a digest resolves whatever dataset refers to it", async ({ source, put }) => {
      await put(P, [{ digest: "a", val: 1 }]);
      expectSame(await source.rows(P, [ref("a", "one:v1"), ref("a", "two:v7")]), [1, 1]);
    }),

    law("a row under the very reference comes before one under its digest", async ({ source, put }) => {
      await put(P, [
        { digest: "a", val: "by digest" },
        { digest: "a", ref: ref("a", "special:v1"), val: "by reference" },
      ]);
      expectSame(await source.rows(P, [ref("a"), ref("a", "special:v1")]), ["by digest", "by reference"]);
    }),

    law("a row that is null is there", async ({ source, put }) => {
      await put(P, [{ digest: "a", val: null }]);
      expectSame(await source.rows(P, [ref("a")]), [null]);
    }),

    law("the version grows with a new row", async ({ source, put }) => {
      const before = await source.version(P);
      await put(P, [{ digest: "a", val: 1 }]);
      expectSame((await source.version(P)) > before, true);
    }),

    law("projects do not see each other, and nothing asked for is nothing", async ({ source, put }) => {
      await put("acme/other", [{ digest: "a", val: 1 }]);
      expectSame(await source.rows(P, [ref("a")]), [undefined]);
      expectSame(await source.rows(P, []), []);
    }),
  ];
}
