// Reduces a row's trials to one value.

import { addExactly, meanOf, newTotal } from "./exact-total.ts";

/**
 * How to reduce a row's trials to one value. `mean`, `max`, `min` and `median` take any numbers. The others take
 * trials that pass (1) or fail (0): `any`, `all` and `majority` (a tie fails); `pass@k`, an unbiased estimate of the
 * chance that at least one of k trials passes, and `pass^k`, of the chance that all do.
 */
export type Reducer =
  | "mean"
  | "any"
  | "all"
  | "majority"
  | "max"
  | "min"
  | "median"
  | `pass@${number}`
  | `pass^${number}`;

/** A parsed reducer. */
export interface Reduction {
  /** Its name, without k. */
  readonly by: "mean" | "any" | "all" | "majority" | "max" | "min" | "median" | "pass@" | "pass^";
  /** The number of trials that `pass@` and `pass^` draw; 1 for other reducers. */
  readonly k: number;
  /** Whether it counts passes, and so requires trials that pass or fail. */
  readonly ofPasses: boolean;
}

const MOST_TRIALS = 10_000;

/** The reducer with this name; undefined if there is none. k is 1 to 10,000. */
export function readReducer(name: string): Reduction | undefined {
  switch (name) {
    case "mean":
    case "max":
    case "min":
    case "median":
      return { by: name, k: 1, ofPasses: false };
    case "any":
    case "all":
    case "majority":
      return { by: name, k: 1, ofPasses: true };
    default: {
      const [, by, digits] = /^(pass[@^])([1-9]\d{0,4})$/.exec(name) ?? [];
      const k = Number(digits);
      return by === undefined || k > MOST_TRIALS
        ? undefined
        : { by: by as "pass@" | "pass^", k, ofPasses: true };
    }
  }
}

/**
 * The value of a row with these trials, in any order; null without trials, or with too few for `pass@k` and `pass^k`.
 */
export function rowValue(trials: ArrayLike<number>, { by, k }: Reduction): number | null {
  const n = trials.length;
  if (n === 0) return null;
  switch (by) {
    case "mean":
      return meanOfTrials(trials);
    case "max":
      return ascending(trials)[n - 1]!;
    case "min":
      return ascending(trials)[0]!;
    case "median": {
      const sorted = ascending(trials);
      const [low, high] = [sorted[(n - 1) >> 1]!, sorted[n >> 1]!];
      return low === high ? low : low / 2 + high / 2;
    }
    case "pass@":
      return passAtK(n, passes(trials), k);
    case "pass^":
      return passHatK(n, passes(trials), k);
    case "any":
      return passes(trials) > 0 ? 1 : 0;
    case "all":
      return passes(trials) === n ? 1 : 0;
    case "majority":
      return 2 * passes(trials) > n ? 1 : 0;
  }
}

/**
 * The chance that at least one of k trials passes, given n trials of which c passed: 1 − C(n−c, k)/C(n, k). Null if n
 * < k. Source: Chen et al., arXiv:2107.03374.
 */
export function passAtK(n: number, c: number, k: number): number | null {
  if (k === 1) return n === 0 ? null : c / n;
  const allFail = passHatK(n, n - c, k);
  return allFail === null ? null : 1 - allFail;
}

/** The chance that all of k trials pass, given n trials of which c passed: C(c, k)/C(n, k). Null if n < k. */
export function passHatK(n: number, c: number, k: number): number | null {
  if (n < k) return null;
  let share = 1;
  for (let i = 0; i < k && share > 0; i++) share *= (c - i) / (n - i);
  return Math.max(0, share);
}

function meanOfTrials(trials: ArrayLike<number>): number {
  const total = newTotal();
  for (let i = 0; i < trials.length; i++) addExactly(total, trials[i]!);
  return meanOf(total);
}

function ascending(trials: ArrayLike<number>): Float64Array {
  return Float64Array.from(trials).sort();
}

function passes(trials: ArrayLike<number>): number {
  let count = 0;
  for (let i = 0; i < trials.length; i++) if (trials[i] === 1) count++;
  return count;
}
