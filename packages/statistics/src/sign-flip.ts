// The exact sign-flip test: were there no difference, each row's difference could as well have had the other sign.
// Where all differences are multiples of one step, the distribution of their sum under all 2^n sign patterns is found
// by convolution over the multiples, without random numbers.

import { exp, expm1, log1p, square } from "./elementary.ts";
import { type Sample, sizeOf } from "./sample.ts";

/** The largest Σ|d|/step that is worked out. */
const LARGEST_SUM = 65_536;

/** How far from a whole multiple rounding may have put a difference, in steps. */
const TOLERANCE = 1e-7;

/** Differences as whole multiples of a step: how many rows have each, without zeros. */
interface Grid {
  /** By size of the multiple, from 1 on, ascending. */
  readonly sizes: readonly { readonly size: number; readonly rows: number }[];
  /** Σ|d|/step. */
  readonly largest: number;
  /** |Σd|/step. */
  readonly observed: number;
}

/**
 * The two-sided p-value that differences are symmetric about 0: the share of the 2^n sign patterns whose |Σ±d| is at
 * least |Σd|. Null when the differences lie on no grid with Σ|d|/step ≤ 65,536, or there are none; 1 when all are 0.
 * A grid is the largest step of which every difference is a multiple, up to rounding.
 * Source: Fisher 1935; Edgington and Onghena, "Randomization Tests".
 */
export function signFlip(differences: Sample): number | null {
  if (sizeOf(differences) === 0) return null;
  const grid = gridOf(differences);
  if (grid === undefined) return null;
  const { observed, largest, sizes } = grid;
  if (observed === 0) return 1;
  const rows = sizes.reduce((sum, group) => sum + group.rows, 0);
  if (observed === largest) return 2 ** (1 - rows);
  return Math.min(1, 2 * upperTail(grid, (largest + observed) / 2));
}

function gridOf({ values, counts }: Sample): Grid | undefined {
  let [least, sum] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    const count = counts === undefined ? 1 : counts[i]!;
    if (size === 0 || count === 0) continue;
    if (size < least) least = size;
    sum += size * count;
  }
  if (sum === 0) return { sizes: [], largest: 0, observed: 0 };
  // The step divides the least difference. Each candidate is given up at the first difference that is off it, and
  // there are fewer candidates the more differences there are. The sum is rounded: what is too large is told exactly,
  // in whole multiples.
  const most = Math.floor(((LARGEST_SUM + 1) * least) / sum);
  for (let parts = 1; parts <= most; parts++) {
    const grid = multiplesOf({ values, counts }, least, parts);
    if (grid !== undefined) return grid.largest <= LARGEST_SUM ? grid : undefined;
  }
  return undefined;
}

/** The differences in multiples of `unit / parts`; undefined when some is no multiple. */
function multiplesOf({ values, counts }: Sample, unit: number, parts: number): Grid | undefined {
  const rows = new Map<number, number>();
  let [largest, observed] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const count = counts === undefined ? 1 : counts[i]!;
    if (values[i] === 0 || count === 0) continue;
    const exact = (Math.abs(values[i]!) / unit) * parts;
    const size = Math.round(exact);
    if (Math.abs(exact - size) > TOLERANCE) return undefined;
    rows.set(size, (rows.get(size) ?? 0) + count);
    largest += size * count;
    observed += Math.sign(values[i]!) * size * count;
  }
  const sizes = [...rows].map(([size, rows]) => ({ size, rows })).sort((a, b) => a.size - b.size);
  return { sizes, largest, observed: Math.abs(observed) };
}

/** Probabilities of consecutive whole numbers, from `from` on. */
interface Distribution {
  readonly from: number;
  readonly at: Float64Array;
}

// What is less likely than this, once the distribution is centred on what was observed, does not reach the twelfth digit.
const NEGLIGIBLE = 1e-24;

/**
 * P(T ≥ `least`), where T adds up the sizes whose coin falls on heads. The coins are first weighted (exponential
 * tilting) so that T is `least` on average: the sum then runs where the probabilities are, and however small the
 * answer is, it keeps its digits.
 */
function upperTail({ sizes, largest }: Grid, least: number): number {
  const tilt = tiltTo(sizes, least);
  let tilted: Distribution = { from: 0, at: Float64Array.of(1) };
  let logScale = tilt * (largest / 2 - least);
  for (const { size, rows } of sizes) {
    tilted = convolve(tilted, binomial(rows, exp(tilt * size)), size);
    // E[e^(x·coin)] is (1 + e^x)/2, which is e^(x/2)·cosh(x/2): the halves add up to half the largest sum.
    logScale += rows * logCosh((tilt * size) / 2);
  }
  let sum = 0;
  for (let k = tilted.at.length - 1; k >= 0 && tilted.from + k >= least; k--)
    sum += tilted.at[k]! * exp(-tilt * (tilted.from + k - least));
  return sum * exp(logScale);
}

/** ln cosh x, for x from 0 on, without overflow and without cancellation near 0. */
function logCosh(x: number): number {
  if (x >= 1) return x + log1p(exp(-2 * x)) - Math.LN2;
  // cosh x = 1 + 2 sinh²(x/2), and sinh h = (u + u/(u + 1))/2 for u = e^h − 1.
  const u = expm1(x / 2);
  return log1p(square(u + u / (u + 1)) / 2);
}

/** The x for which Σ size·e^(x·size)/(1 + e^(x·size)) is `mean`, by bisection; 0 and more. */
function tiltTo(sizes: Grid["sizes"], mean: number): number {
  let [low, high] = [0, 64];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    const at = sizes.reduce((sum, { size, rows }) => sum + (rows * size) / (1 + exp(-middle * size)), 0);
    if (at < mean) low = middle;
    else high = middle;
  }
  return low;
}

/** How many of `n` coins with these odds fall on heads, without what is negligible. */
function binomial(n: number, odds: number): Distribution {
  const mode = Math.min(n, Math.floor((n + 1) * (Number.isFinite(odds) ? odds / (1 + odds) : 1)));
  const up: number[] = [];
  const down: number[] = [];
  for (let [k, term] = [mode, 1]; k < n; k++) {
    term *= ((n - k) / (k + 1)) * odds;
    if (term < NEGLIGIBLE) break;
    up.push(term);
  }
  for (let [k, term] = [mode, 1]; k > 0; k--) {
    term *= k / (n - k + 1) / odds;
    if (term < NEGLIGIBLE) break;
    down.push(term);
  }
  const terms = Float64Array.from([...down.reverse(), 1, ...up]);
  const sum = terms.toSorted().reduce((total, term) => total + term, 0);
  return { from: mode - down.length, at: terms.map((term) => term / sum) };
}

/** The distribution of a + `size`·b. */
function convolve(a: Distribution, b: Distribution, size: number): Distribution {
  const at = new Float64Array(a.at.length + (b.at.length - 1) * size);
  for (let j = 0; j < b.at.length; j++) {
    const [share, start] = [b.at[j]!, j * size];
    for (let i = 0; i < a.at.length; i++) at[start + i]! += a.at[i]! * share;
  }
  return trimmed({ from: a.from + b.from * size, at });
}

function trimmed({ from, at }: Distribution): Distribution {
  let [start, end] = [0, at.length];
  while (start < end - 1 && at[start]! < NEGLIGIBLE) start++;
  while (end > start + 1 && at[end - 1]! < NEGLIGIBLE) end--;
  return { from: from + start, at: at.subarray(start, end) };
}
