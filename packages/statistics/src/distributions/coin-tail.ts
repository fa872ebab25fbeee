// The tail of a sum of fair coins with whole-number sizes: the probability that the coins that fall on heads sum to at
// least a given number. The coins are first weighted (exponential tilting) so that the mean of the sum is `least`: the
// computation then covers the region where the probabilities are, and even very small results keep their precision. The
// weighted sum is a convolution of binomials. Small ones are convolved directly; large ones through their
// characteristic functions, which with many coins are negligible at all but a few frequencies.

import { cos, exp, expm1, log1p, sin, square } from "./elementary.ts";

/** Coins that add the same number on heads. */
export interface Coins {
  /** The number that each of them adds: a whole number from 1. */
  readonly size: number;
  /** The number of coins, from 1. */
  readonly count: number;
}

/**
 * P(T ≥ `least`), where T is the sum of the sizes of fair coins that fall on heads; `least` is a whole number above
 * the mean of T.
 */
export function coinTail(coins: readonly Coins[], least: number): number {
  const tilt = tiltTo(coins, least);
  const largest = coins.reduce((sum, { size, count }) => sum + size * count, 0);
  let logScale = tilt * (largest / 2 - least);
  // E[e^(x·coin)] is (1 + e^x)/2, which is e^(x/2)·cosh(x/2). The factors e^(x/2) multiply to e^(x·largest sum/2).
  for (const { size, count } of coins) logScale += count * logCosh((tilt * size) / 2);
  const tilted =
    convolvingCost(coins) <= frequenciesCost(coins, least, largest)
      ? tailByConvolution(coins, tilt, least)
      : tailByFrequencies(coins, tilt, least, largest);
  return tilted * exp(logScale);
}

/** ln cosh x for x ≥ 0, without overflow and without cancellation near 0. */
function logCosh(x: number): number {
  if (x >= 1) return x + log1p(exp(-2 * x)) - Math.LN2;
  // cosh x = 1 + 2 sinh²(x/2), and sinh h = (u + u/(u + 1))/2 for u = e^h − 1.
  const u = expm1(x / 2);
  return log1p(square(u + u / (u + 1)) / 2);
}

/** The x ≥ 0 for which Σ size·e^(x·size)/(1 + e^(x·size)) is `mean`, by bisection. */
function tiltTo(coins: readonly Coins[], mean: number): number {
  let [low, high] = [0, 64];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    const at = coins.reduce((sum, { size, count }) => sum + (count * size) / (1 + exp(-middle * size)), 0);
    if (at < mean) low = middle;
    else high = middle;
  }
  return low;
}

// Stryker disable all: both methods give the same tail; the costs only decide which one runs.

/** The approximate number of multiplications of a convolution: each binomial times the range of those before it. */
function convolvingCost(coins: readonly Coins[]): number {
  let [cost, largest, squares] = [0, 0, 0];
  for (const { size, count } of coins) {
    cost += Math.min(count + 1, 11 * Math.sqrt(count)) * Math.min(largest + 1, 11 * Math.sqrt(squares));
    largest += size * count;
    squares += size * size * count;
  }
  return cost;
}

// With this many coins a frequency is negligible, unless it is one of the few at which all coins are in phase.
const COINS_THAT_DECIDE = 100;

/**
 * The approximate cost of summing over frequencies: the groups of coins that are evaluated before a frequency is
 * skipped.
 */
function frequenciesCost(coins: readonly Coins[], least: number, largest: number): number {
  const counts = coins.map(({ count }) => count).sort((a, b) => b - a);
  let [seen, groups] = [0, 0];
  while (groups < counts.length && seen < COINS_THAT_DECIDE) seen += counts[groups++]!;
  return (reachOf(coins, least, largest).period / 2) * groups * (seen < COINS_THAT_DECIDE ? 200 : 40);
}

// Stryker restore all

// A probability below this does not affect the twelfth digit, once the distribution is centred on the observation.
const NEGLIGIBLE = 1e-24;

/** The probabilities of consecutive whole numbers, starting at `from`. */
interface Distribution {
  readonly from: number;
  readonly at: Float64Array;
}

/** Σ_{k ≥ least} P(T = k)·e^(−tilt·(k − least)) for tilted coins. */
function tailByConvolution(coins: readonly Coins[], tilt: number, least: number): number {
  let tilted: Distribution = { from: 0, at: Float64Array.of(1) };
  for (const { size, count } of coins) tilted = convolve(tilted, binomial(count, exp(tilt * size)), size);
  let sum = 0;
  for (let k = tilted.at.length - 1; k >= 0 && tilted.from + k >= least; k--)
    sum += tilted.at[k]! * exp(-tilt * (tilted.from + k - least));
  return sum;
}

/** The distribution of heads among `n` coins with these odds, without negligible probabilities. */
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

/**
 * The range of the tilted sum without negligible probabilities, as counts of numbers from `least` up, and of those
 * below and above it.
 */
interface Reach {
  readonly above: number;
  readonly period: number;
}

function reachOf(coins: readonly Coins[], least: number, largest: number): Reach {
  const squares = coins.reduce((sum, { size, count }) => sum + size * size * count, 0);
  // From here on Hoeffding's bound, P(|T − E T| ≥ w) ≤ 2·exp(−2w²/Σ size²), is below NEGLIGIBLE.
  const reach = Math.ceil(5.4 * Math.sqrt(squares));
  const above = Math.min(reach, largest - least) + 1;
  return { above, period: above + Math.min(reach, least) };
}

// A frequency is negligible if the logarithm of its characteristic function is below this.
const LEAST_LOG = -50;

/**
 * The same sum through the discrete Fourier transform whose period covers the distribution: 1/N·Σ_j φ(θ_j)·Σ_{k <
 * above} e^(−(tilt + iθ_j)·k), where θ_j = 2πj/N and φ is the characteristic function of T − least. Frequencies come
 * in conjugate pairs, whose sum is real.
 */
function tailByFrequencies(coins: readonly Coins[], tilt: number, least: number, largest: number): number {
  const { above, period } = reachOf(coins, least, largest);
  // The largest group first: it decides soonest whether a frequency is negligible.
  const groups = coins
    .map(({ size, count }): TiltedCoins => {
      const odds = exp(-tilt * size);
      return { size, count, heads: 1 / (1 + odds), tails: odds / (1 + odds) };
    })
    .sort((a, b) => b.count - a.count || a.size - b.size);
  let sum = 0;
  for (let j = 0; 2 * j <= period; j++) {
    const real = partAt(groups, j, { period, tilt, least, above });
    sum += j === 0 || 2 * j === period ? real : 2 * real;
  }
  return sum / period;
}

interface TiltedCoins extends Coins {
  readonly heads: number;
  readonly tails: number;
}

interface Transform extends Reach {
  readonly tilt: number;
  readonly least: number;
}

/** The real part at frequency j. Angles are whole fractions of the period, so that many turns cause no rounding. */
function partAt(
  groups: readonly TiltedCoins[],
  j: number,
  { period, tilt, least, above }: Transform,
): number {
  let log = 0;
  for (const { size, count, heads, tails } of groups) {
    // |tails + heads·e^(ix)|² = 1 − 4·heads·tails·sin²(x/2)
    log += (count / 2) * log1p(Math.max(-1, -4 * heads * tails * square(sin(angle(size * j, period) / 2))));
    if (log < LEAST_LOG) return 0;
  }
  const back = angle(least * j, period);
  let [re, im] = [cos(back), -sin(back)];
  for (const { size, count, heads, tails } of groups) {
    const x = angle(size * j, period);
    const [powerRe, powerIm] = powerOf(tails + heads * cos(x), heads * sin(x), count);
    [re, im] = [re * powerRe - im * powerIm, re * powerIm + im * powerRe];
  }
  const [geometricRe, geometricIm] = geometric(tilt, angle(j, period), angle(above * j, period), above);
  return re * geometricRe - im * geometricIm;
}

function angle(parts: number, period: number): number {
  return ((parts % period) / period) * (2 * Math.PI);
}

/** A complex number to a whole power, by squaring. */
function powerOf(re: number, im: number, power: number): readonly [re: number, im: number] {
  let [x, y, a, b] = [re, im, 1, 0];
  for (let left = power; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) [a, b] = [a * x - b * y, a * y + b * x];
    [x, y] = [x * x - y * y, 2 * x * y];
  }
  return [a, b];
}

/** Σ_{k < n} e^(−(t + iθ)·k) = (1 − e^(−(t + iθ)·n))/(1 − e^(−(t + iθ))), given θ and n·θ; t is above 0. */
function geometric(t: number, theta: number, nTheta: number, n: number): readonly [re: number, im: number] {
  const [a, b] = oneLess(t * n, nTheta);
  const [c, d] = oneLess(t, theta);
  const size = c * c + d * d;
  return [(a * c + b * d) / size, (b * c - a * d) / size];
}

/** 1 − e^(−(t + iθ)), without cancellation near 0. */
function oneLess(t: number, theta: number): readonly [re: number, im: number] {
  const scale = exp(-t);
  return [-expm1(-t) + 2 * scale * square(sin(theta / 2)), scale * sin(theta)];
}
