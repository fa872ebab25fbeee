import { textDigest } from "@assay/calls/internal";
import { expect, test } from "vitest";
import type { EvaluationRows } from "../src/trials/evaluation-rows.ts";
import { RowTally } from "../src/trials/evaluation-rows.ts";
import { UnitRows } from "../src/trials/unit-rows.ts";

const bytes = (text: string) => new TextEncoder().encode(textDigest(text));

/** Rows with these keys, each with different content. */
function unitOf(keys: readonly string[]): UnitRows {
  const unit = new UnitRows();
  for (const [i, key] of keys.entries()) unit.add({ digest: bytes(key), content: bytes(`${key} ${i}`) });
  return unit;
}

function rowsOf(unit: UnitRows, rows: readonly number[]): EvaluationRows {
  const tally = new RowTally(unit);
  for (const row of rows) tally.add(row);
  return tally.finish();
}

const upTo = (count: number, of: (i: number) => number) => Array.from({ length: count }, (_, i) => of(i));

test("counts trials by digest, however many rows there are", () => {
  const keys = upTo(6000, (i) => (i < 5000 ? i : i - 5000)).map(String);
  const unit = unitOf(keys);
  const tally = new RowTally(unit);
  const known = new Map<string, { first: number; trials: number }>();
  for (const row of [...upTo(5000, (i) => i * 1), ...upTo(6000, (i) => 5999 - i)]) {
    const one = known.get(keys[row]!) ?? { first: row, trials: 0 };
    known.set(keys[row]!, one);
    expect([tally.add(row), tally.trialsBefore]).toEqual([one.first, one.trials]);
    one.trials++;
  }
  const rows = tally.finish();
  expect(rows.size).toBe(5000);
  expect(keys.map((_, row) => rows.has(row))).toEqual(keys.map((_, row) => row < 5000));
});

test("counts the digests that evaluations share, in one unit and in several", () => {
  const keys = upTo(3000, (i) => i).map(String);
  const [unit, other] = [unitOf([...keys, "0"]), unitOf([...keys].reverse())];
  const [low, high] = [upTo(1000, (i) => i * 2), upTo(500, (i) => i + 1500)];
  const [evens, later] = [rowsOf(unit, low), rowsOf(unit, high)];
  expect(evens.countCommon(later)).toBe(250);
  expect(later.countCommon(evens, 1)).toBe(1);
  expect(evens.countCommon(rowsOf(unit, [3000]))).toBe(1);
  expect(evens.countCommon(rowsOf(unit, [1, 2999]))).toBe(0);
  expect(
    later.countCommon(
      rowsOf(
        other,
        upTo(1000, (i) => i),
      ),
    ),
  ).toBe(0);
  expect(
    evens.countCommon(
      rowsOf(
        other,
        upTo(1500, (i) => i),
      ),
    ),
  ).toBe(250);
  expect(evens.countCommon(rowsOf(unit, []))).toBe(0);
});
