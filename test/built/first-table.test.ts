// The first table of the built command for the bundled example.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assay } from "@assay/testing/command";
import { beforeAll, expect, test } from "vitest";

const DATA = fileURLToPath(new URL("../../examples/units-parser/data/", import.meta.url));
let table = "";
let rows: { readonly raw_data_row: { readonly kind: string } }[] = [];

beforeAll(async () => {
  const home = mkdtempSync(join(tmpdir(), "assay-table-"));
  const data = ["--data", join(home, "data")];
  const project = "examples/units-parser";
  const files = [`${DATA}calls.jsonl.gz`, "--rows", `${DATA}rows.jsonl.gz`];
  expect((await assay(["import", project, ...files, ...data])).exitCode).toBe(0);
  table = (await assay(["query", project, "--format", "table", ...data])).stdout;
  rows = JSON.parse((await assay(["query", project, ...data])).stdout).rows;
  rmSync(home, { recursive: true });
});

test("regressions of the newest version come first", () => {
  const kinds = new Set(rows.slice(0, 8).map(({ raw_data_row }) => raw_data_row.kind));
  expect(kinds).toEqual(new Set(["prefixed", "thousands"]));
  expect(table).toMatch(/correct +│ ✓ 3\/3 +│ ✓ 3\/3 +│ ✗ 0\/3 \(−1\)/);
});

test("the table shows the order of its rows", () => {
  const text = table.replaceAll("\n", " ");
  expect(text).toContain(
    "Sorted by the difference in correct (largest first), then correct of units_v3 (smallest first), then the difference in",
  );
  expect(text).toContain("then row digest");
});

test("a rate has its denominator, and differences count trials without a score as failed", () => {
  expect(table).toMatch(/correct +│ 54\.7% \(141\/258\) +│ 53\.8% \(387\/720\) +│ 83\.2% \(599\/720\)/);
  expect(table).toMatch(/unscored as fail +│ 19\.6% +│ 53\.8% \(\+34\.2\) +│ 83\.2% \(\+63\.6\)/);
  expect(table).toMatch(/magnitudes_off +│ mean 0\.2977 \(258\)/);
  expect(table).toMatch(/unscored +│ 462 +│ 0 +│ 0/);
});
