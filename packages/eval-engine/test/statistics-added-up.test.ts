// Compares row sums accumulated during reading with sums over materialised columns, digit for digit.

import { correlation, moments } from "@assay/statistics";
import { dyadicSums, meanOfPart, partialMean } from "@assay/statistics/internal";
import { CASES, check, PATIENCE } from "@assay/testing/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BufferPool } from "../src/kernels/buffer-pool.ts";
import { pairSums, sideSums, withinSums } from "../src/statistics/rows/dyadic-rows.ts";
import { type RowValues, rowValues } from "../src/statistics/rows/row-values.ts";
import { presenceOf, sharedRows } from "../src/statistics/rows/shared-rows.ts";

/** One side of a comparison: the values of its trials, by row. */
const side = fc
  .record({
    scale: fc.constantFrom(1, 2, 1024),
    rows: fc.array(fc.array(fc.integer({ min: -2000, max: 2000 }), { maxLength: 3 }), {
      minLength: 1,
      maxLength: 12,
    }),
  })
  .map(({ scale, rows }) => {
    const trials = rows.map((row) => row.map((one) => one / scale));
    const means = trials.map((row) => moments({ values: row }));
    return rowValues({
      stateOf: undefined,
      values: Float64Array.from(means, ({ mean }) => mean ?? Number.NaN),
      known: Uint32Array.from(trials, ({ length }) => length),
      within: Float64Array.from(means, ({ variance }) => variance ?? Number.NaN),
      numeric: new Uint8Array(trials.length).fill(1),
    });
  })
  // The mean of three trials may not be a multiple of a power of two.
  .filter(({ scales }) => scales !== undefined);

/** Selected rows: the index of each in the two sides, or −1. */
const places = (of: RowValues) => fc.integer({ min: -1, max: of.values.length - 1 });
const selected = fc.tuple(side, side).chain(([a, b]) =>
  fc.record({
    a: fc.constant(a),
    b: fc.constant(b),
    rows: fc.array(fc.tuple(places(a), places(b)), { maxLength: 30 }),
  }),
);

/** The values of a side at these indexes. */
const valuesAt = ({ values }: RowValues, at: Iterable<number>): Float64Array =>
  Float64Array.from(at, (place) => (place === -1 ? Number.NaN : values[place]!));

test(
  "sums of rows equal those of columns",
  () =>
    check(
      selected,
      async ({ a, b, rows }) => {
        const evaluation = (of: RowValues, k: 0 | 1) => ({
          places: Int32Array.from(rows, (row) => row[k]),
          trials: of.known,
        });
        const room = new BufferPool();
        const selection = { evaluations: [evaluation(a, 0), evaluation(b, 1)], length: rows.length };
        const presence = presenceOf(selection, room);
        for (const [k, of] of [a, b].entries()) {
          const present = presence.of[k]!.present();
          const known = valuesAt(
            of,
            rows.map((row) => row[k as 0 | 1]),
          ).filter((value) => !Number.isNaN(value));
          expect(sideSums(of, present)?.found).toEqual(
            dyadicSums({ values: known }) === undefined ? undefined : moments({ values: known }),
          );
        }
        const shared = sharedRows(presence, 0, 1);
        const sums = pairSums({ a, b }, shared.places(), room);
        const pairs = rows.filter(
          ([p, q]) => p !== -1 && q !== -1 && !Number.isNaN(a.values[p]!) && !Number.isNaN(b.values[q]!),
        );
        const x = valuesAt(
          a,
          pairs.map(([p]) => p),
        );
        const y = valuesAt(
          b,
          pairs.map(([, q]) => q),
        );
        const d = x.map((value, i) => y[i]! - value);
        expect(sums).toBeDefined();
        expect(sums!.found).toEqual(moments({ values: d }));
        expect(sums!.correlation).toBe(correlation({ a: x, b: y }));
        expect([sums!.up, sums!.down]).toEqual(
          [1, -1].map((sign) => d.filter((one) => Math.sign(one) === sign).length),
        );
        expect(sums!.least).toBe(Math.min(...d.map(Math.abs).filter((size) => size > 0)));
        expect([...sums!.places.a]).toEqual(pairs.map(([p]) => p));
        expect([...sums!.places.b]).toEqual(pairs.map(([, q]) => q));
        const within = withinSums({ a, b }, sums!.places);
        for (const [of, at, found] of [
          [a, sums!.places.a, within!.sides.a],
          [b, sums!.places.b, within!.sides.b],
        ] as const) {
          const several = [...at].filter((place) => of.known[place]! > 1);
          expect(found.mean).toBe(
            meanOfPart(partialMean({ values: several.map((place) => of.within[place]!) })),
          );
          const trials = Array.from({ length: of.mostKnown + 1 }, (_, k) =>
            [...at].filter((place) => of.known[place] === k),
          );
          expect([...found.rowsByTrials]).toEqual(trials.map(({ length }) => length));
        }
        expect(within!.flakyRows).toBe(pairs.filter(([p, q]) => a.within[p]! > 0 || b.within[q]! > 0).length);
        room.release();
      },
      { numRuns: CASES / 40 },
    ),
  PATIENCE,
);
