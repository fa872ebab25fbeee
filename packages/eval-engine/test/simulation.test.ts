// Checks the claims of intervals and tests against seeded simulations: the short form of `npm run coverage`. The bounds
// allow for four standard errors of the simulation, so that any seed passes.

import { describe, expect, test } from "vitest";
import { printTable, withTables } from "../simulation/page.ts";
import { lognormal, passing, randomOf } from "../simulation/quantities.ts";
import {
  coverage,
  falseVerdicts,
  looks,
  rejectionsAt,
  type Setting,
  type Share,
} from "../simulation/simulate.ts";

const seed = Number(process.env["ASSAY_SEED"] ?? 1);
const RUNS = 1000;

const half = passing(0.5);
const number = lognormal(0.5);

/** Four standard errors of a share of `p`. */
const chance = (p: number, { of }: Share): number => 4 * Math.sqrt((p * (1 - p)) / of);

const rate = ({ hits, of }: Share): number => hits / of;

describe("95% intervals cover the truth as often as they claim", () => {
  const settings: [string, Setting][] = [
    ["of passes", { quantity: half, rows: 100, trials: 1 }],
    ["of means of 5 trials", { quantity: half, rows: 100, trials: 5 }],
    ["of skewed numbers", { quantity: number, rows: 300, trials: 1 }],
    ["of clusters", { quantity: half, rows: 100, trials: 1, clusters: 20 }],
    ["of two rates", { quantity: half, candidate: passing(0.4), rows: 100, trials: 1 }],
    ["of two means", { quantity: half, candidate: passing(0.4), rows: 100, trials: 5 }],
    [
      "of two rates on different rows",
      { quantity: half, candidate: passing(0.4), unpaired: true, rows: 100, trials: 1 },
    ],
    [
      "of two means of different rows",
      {
        quantity: number,
        candidate: lognormal(0.5, 1.1),
        unpaired: true,
        rows: 100,
        trials: 1,
      },
    ],
  ];
  test.each(settings)("%s", async (_, setting) => {
    const share = await coverage(setting, RUNS, randomOf(seed));
    expect(share.of).toBe(RUNS);
    // The target coverage of the methods, plus sampling error.
    expect(rate(share)).toBeGreaterThanOrEqual(0.94 - chance(0.94, share));
    expect(rate(share)).toBeLessThanOrEqual(0.965 + chance(0.965, share));
  });

  test("intervals that ignore clusters do not, and the simulation detects it", async () => {
    const pooled: Setting = { quantity: half, rows: 1000, trials: 1, clusters: 20, pooled: true };
    const share = await coverage(pooled, 200, randomOf(seed));
    expect(rate(share)).toBeLessThan(0.8);
  });
});

describe("without a true difference", () => {
  const pairs = (trials: number, rows: number): Setting => ({
    ...{ quantity: half, candidate: half, trials, rows },
  });

  test("one measure is called improved or regressed in at most 5% of answers", async () => {
    for (const setting of [pairs(1, 30), pairs(5, 30), pairs(1, 12)]) {
      const [share] = await falseVerdicts([setting], ["none"], RUNS, randomOf(seed));
      expect(rate(share!)).toBeLessThanOrEqual(0.05 + chance(0.05, share!));
    }
  });

  test("any of 24 measures is called so in at most 5% of answers if adjusted, but not otherwise", async () => {
    const measures = Array.from({ length: 24 }, () => pairs(1, 100));
    const [holm, bh, none] = await falseVerdicts(measures, ["holm", "bh", "none"], 300, randomOf(seed));
    for (const share of [holm!, bh!]) expect(rate(share)).toBeLessThanOrEqual(0.05 + chance(0.05, share));
    expect(rate(none!)).toBeGreaterThan(0.3);
  });

  test("50 looks at a running evaluation with the confidence sequence find one in at most 5% of answers", async () => {
    const setting = { quantity: half, candidate: half, trials: 1, rows: 500, looks: 50 };
    const { sequence, plain } = await looks(setting, 300, randomOf(seed));
    expect(rate(sequence)).toBeLessThanOrEqual(0.05 + chance(0.05, sequence));
    expect(rate(plain)).toBeGreaterThan(0.15);
  });

  test("p is uniform, or larger if it is discrete", async () => {
    const random = randomOf(seed);
    const alphas = [0.05, 0.2, 0.5, 0.8];
    const exact = async (setting: Setting) => {
      const shares = await rejectionsAt(alphas, setting, RUNS, random);
      return alphas.map((alpha, i) => [alpha, shares[i]!] as const);
    };
    // Continuous: p is below each level exactly as often as the level says.
    const normal: Setting = {
      quantity: number,
      candidate: number,
      unpaired: true,
      rows: 100,
      trials: 1,
    };
    const paired: Setting = { quantity: number, candidate: number, rows: 100, trials: 1 };
    for (const setting of [normal, paired])
      for (const [alpha, share] of await exact(setting))
        expect(Math.abs(rate(share) - alpha)).toBeLessThanOrEqual(chance(alpha, share));
    // Discrete: an exact test rejects no more often than the level; McNemar's mid-p exceeds it slightly.
    for (const setting of [pairs(5, 40), pairs(1, 200)])
      for (const [alpha, share] of await exact(setting))
        expect(rate(share)).toBeLessThanOrEqual(alpha * 1.1 + chance(alpha, share));
    // With many rows the steps are small, and p is almost uniform.
    for (const [alpha, share] of (await exact(pairs(5, 200))).slice(0, 3))
      expect(Math.abs(rate(share) - alpha)).toBeLessThanOrEqual(0.02 + chance(alpha, share));
  });
});

test("the page marks what misses its target, and is replaced only between its markers", () => {
  const share = (hits: number, of = 1000): Share => ({ hits, of, runs: 1000 });
  const text = printTable({
    ...{ title: "T", about: "A.", columns: ["method", "none", "n = 12", "n = 30", "n = 100"] },
    rows: [
      { label: ["`t`", ""], shares: [{ ...share(900), warned: 990 }, share(475, 500), null] },
      { label: ["`wilson`", ""], shares: [share(999), share(935), share(0, 0)] },
    ],
    wanted: { from: 0.94, to: 0.965 },
  });
  expect(text.split("\n").slice(4)).toEqual([
    "| method | n = 12 | n = 30 | n = 100 |",
    "| --- | --: | --: | --: |",
    "| `t` | 90.0 ↓ (warned: 99%) | 95.0 (none: 50%) | – |",
    "| `wilson` | 99.9 ↑ | 93.5 | no interval |",
  ]);
  const page = "# T\n\n<!-- tables: npm run coverage -->\nold\n<!-- /tables -->\nafter\n";
  const written = withTables(page, text);
  expect(written).toBe(withTables(written, text));
  expect(written.endsWith("<!-- /tables -->\nafter\n")).toBe(true);
  expect(written).not.toContain("old");
  expect(() => withTables("# T\n", text)).toThrow("the page has no <!-- tables");
});
