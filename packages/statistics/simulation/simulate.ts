// Simulations of what intervals and verdicts promise, each against a truth that is known.

import {
  type Adjustment,
  adjusted,
  confidenceSequence,
  type Interval,
  moments,
  tInterval,
  verdict,
} from "../src/index.ts";
import { type Finding, LEVEL, ONE, TWO } from "./methods.ts";
import { type Design, drawRows, type Quantity, type Random } from "./quantities.ts";

/** How often something came about. */
export interface Share {
  readonly hits: number;
  /** Of how many: the runs in which there was an answer. */
  readonly of: number;
  readonly runs: number;
}

/** A simulation of one method. */
export interface Setting extends Design {
  readonly method: string;
  readonly quantity: Quantity;
  /** The other side, for a method of two evaluations. */
  readonly candidate?: Quantity | undefined;
  /** Whether both sides are drawn on rows of their own. */
  readonly unpaired?: boolean | undefined;
}

/** How often the interval holds the truth, of the runs that give one. */
export function coverage(setting: Setting, runs: number, random: Random): Share {
  const truth =
    setting.candidate === undefined ? setting.quantity.mean : setting.candidate.mean - setting.quantity.mean;
  let [hits, of] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const { interval } = find(setting, random);
    if (interval === null) continue;
    of++;
    if (holds(interval, truth)) hits++;
  }
  return { hits, of, runs };
}

/** How often p ≤ `alpha`; what has no p-value is no finding. */
export function rejections(setting: Setting, runs: number, random: Random, alpha: number = 1 - LEVEL): Share {
  let hits = 0;
  for (let run = 0; run < runs; run++) {
    const { p } = find(setting, random);
    if (p !== null && p <= alpha) hits++;
  }
  return { hits, of: runs, runs };
}

/** How often an answer of these measures has any verdict of improved or regressed. */
export function falseVerdicts(
  measures: readonly Setting[],
  adjustments: readonly Adjustment[],
  runs: number,
  random: Random,
): Share[] {
  const hits = adjustments.map(() => 0);
  for (let run = 0; run < runs; run++) {
    const found = measures.map((setting) => find(setting, random));
    for (const [k, adjustment] of adjustments.entries()) {
      const p = adjusted(
        found.map((one) => one.p),
        adjustment,
      );
      if (found.some(({ interval }, i) => isFinding(interval, p[i]!))) hits[k]!++;
    }
  }
  return hits.map((count) => ({ hits: count, of: runs, runs }));
}

function find(setting: Setting, random: Random): Finding {
  const { method, quantity, candidate } = setting;
  if (candidate === undefined) return ONE[method]!(drawRows([quantity], setting, random)[0]!, setting);
  const [a, b] =
    setting.unpaired === true
      ? [quantity, candidate].map((side) => drawRows([side], setting, random)[0]!)
      : drawRows([quantity, candidate], setting, random);
  return TWO[method]!(a!, b!, setting);
}

function isFinding(interval: Interval | null, p: number | null): boolean {
  // An interval without a p-value is none that a comparison at one look would give.
  if (p === null) return false;
  const said = verdict({ interval, p, alpha: 1 - LEVEL, margin: 0, direction: "higher" });
  return said === "improved" || said === "regressed";
}

// Rounding may leave a bound a hair inside the truth that it is equal to: 1 of an interval that ends at 1, for example.
function holds({ low, high }: Interval, truth: number): boolean {
  return low <= truth + 1e-12 && high >= truth - 1e-12;
}

/** How often one of many looks at growing rows misses the truth, by the confidence sequence and by the plain t. */
export function looks(
  setting: Pick<Setting, "quantity" | "trials" | "rows"> & {
    readonly candidate: Quantity;
    readonly looks: number;
  },
  runs: number,
  random: Random,
): { readonly sequence: Share; readonly plain: Share } {
  const truth = setting.candidate.mean - setting.quantity.mean;
  const missed = { sequence: 0, plain: 0 };
  for (let run = 0; run < runs; run++) {
    const [a, b] = drawRows([setting.quantity, setting.candidate], setting, random);
    const d = a!.map((value, i) => b![i]! - value);
    const miss = { sequence: false, plain: false };
    for (let look = 1; look <= setting.looks; look++) {
      const n = Math.round((setting.rows * look) / setting.looks);
      const { mean, variance } = moments({ values: d.subarray(0, n) });
      if (mean === null || variance === null || variance === 0) continue;
      const sequence = confidenceSequence({ mean, sd: Math.sqrt(variance), n, alpha: 1 - LEVEL });
      const plain = tInterval({ mean, se: Math.sqrt(variance / n), df: n - 1 }, LEVEL);
      miss.sequence ||= sequence !== null && !holds(sequence, truth);
      miss.plain ||= plain !== null && !holds(plain, truth);
    }
    if (miss.sequence) missed.sequence++;
    if (miss.plain) missed.plain++;
  }
  return {
    sequence: { hits: missed.sequence, of: runs, runs },
    plain: { hits: missed.plain, of: runs, runs },
  };
}
