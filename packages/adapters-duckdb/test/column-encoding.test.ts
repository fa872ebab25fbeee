// Columns encoded for the redo log decode to the same columns.

import { deserialize, serialize } from "node:v8";
import { CASES, check } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Column, cellsOf, rowsIn } from "../src/database/database.ts";
import { decodeColumns, dictionaryEncoded, encodeColumns } from "../src/recovery/column-encoding.ts";
import { readChange } from "../src/recovery/logged-change.ts";

const cellsIn = (column: Column): unknown[] =>
  Array.from({ length: rowsIn(column) }, (_, i) => cellsOf(column, 0)(i));

/** The columns after a round trip through the log. */
const again = (columns: readonly Column[]) =>
  decodeColumns(deserialize(serialize(encodeColumns(dictionaryEncoded(columns))!)));

/** The places of consecutive records, in blocks of `room` bytes. */
function placesOf(sizes: readonly number[], room: number): Float64Array {
  let [start, at] = [2 ** 48, 0];
  return Float64Array.from(sizes, (size) => {
    if (at + size > room) [start, at] = [start + 65_536 * 7000, 0];
    const place = start + at;
    at += size + 1;
    return place;
  });
}

const numbers = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.maxSafeInteger(),
  fc.constantFrom(Number.NaN, 0.5, 2 ** 53, Number.MAX_SAFE_INTEGER, -(2 ** 52), 255, 256, 2 ** 32),
);

test("encoded columns decode to the same columns", async () => {
  await check(
    fc.record({
      rows: fc.array(fc.tuple(numbers, fc.maxSafeNat(), fc.integer({ min: 1, max: 2000 }), fc.nat()), {
        minLength: 1,
        maxLength: 600,
        size: "max",
      }),
      room: fc.constantFrom(0, 100, 10_000, 65_000),
    }),
    async ({ rows, room }) => {
      const column = (k: number): Float64Array => Float64Array.from(rows, (row) => row[k]!);
      const columns: readonly Column[] = [
        { type: "INTEGER", same: 1, count: rows.length },
        { type: "DOUBLE", values: column(0) },
        { type: "DOUBLE", values: column(1) },
        { type: "DOUBLE", values: placesOf([...column(2)], room) },
        { type: "UINTEGER", values: column(2) },
        { type: "UINTEGER", values: column(3).map((value) => value >>> 0) },
      ];
      const decoded = again(columns);
      expect(decoded.map(({ type }) => type)).toEqual(columns.map(({ type }) => type));
      expect(decoded.map(cellsIn)).toEqual(columns.map(cellsIn));
    },
    { numRuns: CASES / 20 },
  );
});

test("a record takes twelve bytes: seven for its id, four for its checksum, and one for its size", () => {
  const length = 10_000;
  const sizes = Array.from({ length }, (_, i) => 500 + ((i * 7919) % 200));
  const columns: readonly Column[] = [
    { type: "DOUBLE", values: Float64Array.from({ length }, (_, i) => (i * 7_919_777_777_777) % 2 ** 53) },
    { type: "DOUBLE", values: placesOf(sizes, 65_000) },
    { type: "UINTEGER", values: Float64Array.from(sizes) },
    { type: "UINTEGER", values: Float64Array.from({ length }, (_, i) => (i * 2_654_435_761) % 2 ** 32) },
  ];
  expect(serialize(encodeColumns(dictionaryEncoded(columns))!).length / length).toBeLessThan(12.5);
});

test("forged encoded columns are refused", () => {
  const sizes = { type: "UINTEGER", same: 1, count: 3 };
  const places = { type: "DOUBLE", sizes: 1, rows: Uint32Array.of(0), others: Float64Array.of(7) };
  const bytes = Uint8Array.of(1, 2, 3);
  const read = (columns: unknown) => readChange({ table: "calls", coded: serialize(columns) });
  expect(read([places, sizes])).toMatchObject({ columns: [{ values: Float64Array.of(7, 9, 11) }, sizes] });
  for (const columns of [
    [places],
    [places, { ...places, sizes: 0 }],
    [places, { ...sizes, count: 2 ** 40 }],
    [places, { ...sizes, count: -1 }],
    [{ ...places, sizes: "length" }, sizes],
    [{ ...places, rows: null }, sizes],
    ...[0, 0.001, -1, 2, Number.NaN, "1"].map((width) => [{ type: "DOUBLE", least: 0, width, bytes }]),
    [{ type: "VARCHAR", least: 0, width: 1, bytes }],
  ])
    expect(read(columns), JSON.stringify(columns)).toEqual(expect.any(String));
});
