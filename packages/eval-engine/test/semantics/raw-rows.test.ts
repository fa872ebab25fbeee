// docs/reference/semantics.md, "Raw rows": the row's own data in the answer.

import { describe, expect, test } from "vitest";
import type { DatasetRow } from "../../src/index.ts";
import { ask, evaluation, row, type Tree, trial } from "./project.ts";

const WARNING = "Failed to resolve dataset row refs; raw_data_row may contain refs";

async function rawRows(calls: readonly Tree[], body: object, rows: readonly DatasetRow[] = []) {
  const answer = await ask(calls, { evaluation_call_ids: calls.map(({ call }) => call.id), ...body }, rows);
  return { rows: answer.rows.map((one) => one.raw_data_row), warnings: answer.warnings };
}

const RAW = { include_raw_data_rows: true };
const RESOLVED = { include_raw_data_rows: true, resolve_row_refs: true };

test("it is null unless requested", async () => {
  expect(await rawRows([evaluation("e1", trial("t", { of: { q: 1 } }))], {})).toEqual({
    rows: [null],
    warnings: [],
  });
});

test("it is the object of an inline row, and the reference to a dataset row", async () => {
  expect(await rawRows([evaluation("e1", trial("t", { of: { q: 1 } }))], RAW)).toMatchObject({
    rows: [{ q: 1 }],
  });
  const rows = [{ digest: "r1", val: { q: 1 } }];
  expect(await rawRows([evaluation("e1", trial("t"))], RAW, rows)).toEqual({
    rows: [row("r1")],
    warnings: [],
  });
});

test("it is the example of the first trial that has one", async () => {
  // The digest of a row whose example is null.
  const digest = "dCNOmKYnSYX12vHzasLXiswzlGT5UHA7jAGYkvmCuQs";
  const calls = [
    evaluation("e1", trial("a", { of: null }), trial("b", { of: row(digest), at: 1 })),
    evaluation("e2", trial("c", { of: `other${row(digest)}` })),
  ];
  expect(await rawRows(calls, RAW)).toMatchObject({ rows: [row(digest)] });
  expect(await rawRows(calls.toReversed(), RAW)).toMatchObject({ rows: [`other${row(digest)}`] });
});

describe("resolve_row_refs", () => {
  const calls = [evaluation("e1", trial("a", { of: row("r1") }), trial("b", { of: row("r2") }))];
  const both = [
    { digest: "r1", val: { q: 1 } },
    { digest: "r2", val: { q: 2 } },
  ];

  test("replaces the reference with the row", async () => {
    expect(await rawRows(calls, RESOLVED, both)).toEqual({ rows: [{ q: 1 }, { q: 2 }], warnings: [] });
  });

  test("a row stored under the exact reference takes precedence over one under its digest", async () => {
    const rows = [...both, { digest: "r1", ref: row("r1"), val: "mine" }];
    expect(await rawRows(calls, RESOLVED, rows)).toMatchObject({ rows: ["mine", { q: 2 }] });
  });

  test("a row may be any JSON, including null", async () => {
    const rows = [
      { digest: "r1", val: null },
      { digest: "r2", val: [] },
    ];
    expect(await rawRows(calls, RESOLVED, rows)).toEqual({ rows: [null, []], warnings: [] });
  });

  test("an unknown reference stays, and there is exactly one warning", async () => {
    expect(await rawRows(calls, RESOLVED, both.slice(0, 1))).toEqual({
      rows: [{ q: 1 }, row("r2")],
      warnings: [WARNING],
    });
    expect(await rawRows(calls, RESOLVED)).toEqual({ rows: [row("r1"), row("r2")], warnings: [WARNING] });
  });

  test("only the rows of the page count", async () => {
    expect(await rawRows(calls, { ...RESOLVED, limit: 1 }, both.slice(0, 1))).toEqual({
      rows: [{ q: 1 }],
      warnings: [],
    });
    expect(await rawRows(calls, { ...RESOLVED, include_rows: false })).toEqual({ rows: [], warnings: [] });
  });

  test("an inline string that is not a reference is unchanged, without a warning", async () => {
    const inline = [evaluation("e1", trial("a", { of: "/attr/rows/id/r1" }))];
    expect(await rawRows(inline, RESOLVED, both)).toEqual({ rows: ["/attr/rows/id/r1"], warnings: [] });
  });
});
