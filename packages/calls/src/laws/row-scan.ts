// Laws of stores that write and list dataset rows.

import type { Law, Open } from "@assay/base";
import { expectSame, lawsFor } from "@assay/base/internal";
import type { RowScan } from "../ports/row-scan.ts";
import type { RowSource } from "../ports/row-source.ts";
import type { RowWriter } from "../ports/row-writer.ts";
import type { DatasetRow } from "../row/dataset-row.ts";
import { MANY } from "./many.ts";

/** The laws of a `RowWriter` and `RowScan` over the same rows. `open` creates a new, empty store each time. */
export function rowScanLaws(open: Open<RowSource & RowWriter & RowScan>): readonly Law[] {
  const law = lawsFor(open);
  return [
    law("the very same row again changes nothing, and another under its name replaces it", async (rows) => {
      expectSame(await rows.put(P, ROWS), ROWS.length);
      const version = await rows.version(P);
      expectSame(await rows.put(P, ROWS), 0);
      expectSame(await rows.version(P), version);
      expectSame(await rows.put(P, [{ digest: "a", val: "new" }]), 1);
      expectSame(await rows.rows(P, [ref("a", "none:v1"), ref("a")]), ["new", "by reference"]);
    }),

    law("all rows are listed, once each, as they were put", async (rows) => {
      expectSame(await scanned(rows), []);
      const many = [...ROWS, ...Array.from({ length: MANY }, (_, i) => ({ digest: `d${i}`, val: i }))];
      await rows.put(P, many);
      await rows.put("acme/other", [{ digest: "other", val: 1 }]);
      expectSame(await scanned(rows), inOrder(many));
    }),

    law("names list the rows that are stored under these very names", async (rows) => {
      await rows.put(P, ROWS);
      expectSame(await scanned(rows, ["a", "none", "a"]), [{ digest: "a", val: { x: [1, null] } }]);
      expectSame(await scanned(rows, [ref("a"), ref("b")]), [
        { digest: "a", ref: ref("a"), val: "by reference" },
      ]);
      expectSame(await scanned(rows, []), []);
    }),
  ];
}

const P = "acme/demo";
const ref = (digest: string, dataset = "rows:v1"): string =>
  `weave:///acme/demo/object/${dataset}/attr/rows/id/${digest}`;

const ROWS: readonly DatasetRow[] = [
  { digest: "a", val: { x: [1, null] } },
  { digest: "a", ref: ref("a"), val: "by reference" },
  { digest: "b", val: "é" },
];

async function scanned(rows: RowScan, names?: readonly string[]): Promise<readonly DatasetRow[]> {
  const found: DatasetRow[] = [];
  for await (const lines of rows.scan(P, names)) {
    for (const line of lines) found.push(JSON.parse(line) as DatasetRow);
  }
  return inOrder(found);
}

function inOrder(rows: readonly DatasetRow[]): readonly DatasetRow[] {
  const name = ({ digest, ref }: DatasetRow): string => ref ?? digest;
  return rows.toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
}
