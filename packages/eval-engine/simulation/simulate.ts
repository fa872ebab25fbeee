// Simulations of what intervals and verdicts promise, each against a truth that is known.

import { type Adjustment, adjusted, type Interval, verdict } from "@assay/statistics";
import { type Finding, LEVEL, ofDifferentRows, ofOne, ofPairs, type Question } from "./methods.ts";
import { drawRows, type Quantity, type Random } from "./quantities.ts";

/** How often something came about. */
export interface Share {
  readonly hits: number;
  /** Of how many: the runs in which there was an answer. */
  readonly of: number;
  readonly runs: number;
  /** In how many of these an answer warns that its interval may be too narrow, where that is asked. */
  readonly warned?: number | undefined;
}

/** A simulation of one kind of comparison. */
export interface Setting extends Question {
  /** The other side, for a method of two evaluations. */
  readonly candidate?: Quantity | undefined;
  /** Whether both sides are drawn on rows of their own. */
  readonly unpaired?: boolean | undefined;
}

/** How often the interval holds the truth, of the runs that give one. */
export async function coverage(setting: Setting, runs: number, random: Random): Promise<Share> {
  const truth =
    setting.candidate === undefined ? setting.quantity.mean : setting.candidate.mean - setting.quantity.mean;
  let [hits, of, warned] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const found = await find(setting, random);
    if (found.interval === null) continue;
    of++;
    if (holds(found.interval, truth)) hits++;
    if (found.warned) warned++;
  }
  return { hits, of, runs, warned };
}

/** How often there is a finding at the level of the intervals. */
export async function rejections(setting: Setting, runs: number, random: Random): Promise<Share> {
  const [share] = await rejectionsAt([1 - LEVEL], setting, runs, random);
  return share!;
}

/** How often p ≤ each of `alphas`; what has no p-value is no finding. */
export async function rejectionsAt(
  alphas: readonly number[],
  setting: Setting,
  runs: number,
  random: Random,
): Promise<Share[]> {
  const hits = alphas.map(() => 0);
  for (let run = 0; run < runs; run++) {
    const { p } = await find(setting, random);
    for (const [i, alpha] of alphas.entries()) if (p !== null && p <= alpha) hits[i]!++;
  }
  return hits.map((count) => ({ hits: count, of: runs, runs }));
}

/** How often an answer of these measures has any verdict of improved or regressed. */
export async function falseVerdicts(
  measures: readonly Setting[],
  adjustments: readonly Adjustment[],
  runs: number,
  random: Random,
): Promise<Share[]> {
  const hits = adjustments.map(() => 0);
  for (let run = 0; run < runs; run++) {
    const found: Finding[] = [];
    for (const setting of measures) found.push(await find(setting, random));
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

async function find(setting: Setting, random: Random): Promise<Finding> {
  const { quantity, candidate } = setting;
  if (candidate === undefined) return ofOne(drawRows([quantity], setting, random)[0]!, setting);
  if (setting.unpaired === true) {
    const [a, b] = [quantity, candidate].map((side) => drawRows([side], setting, random)[0]!);
    return ofDifferentRows(a!, b!, setting);
  }
  const [a, b] = drawRows([quantity, candidate], setting, random);
  return ofPairs(a!, b!, setting);
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

/** How often one of many looks at growing rows misses the truth, by the confidence sequence and as if it were the only one. */
export async function looks(
  setting: Pick<Setting, "quantity" | "trials" | "rows"> & {
    readonly candidate: Quantity;
    readonly looks: number;
  },
  runs: number,
  random: Random,
): Promise<{ readonly sequence: Share; readonly plain: Share }> {
  const truth = setting.candidate.mean - setting.quantity.mean;
  const missed = { sequence: 0, plain: 0 };
  for (let run = 0; run < runs; run++) {
    const [a, b] = drawRows([setting.quantity, setting.candidate], setting, random);
    const misses = async (n: number, anytime: boolean): Promise<boolean> => {
      const { interval } = await ofPairs(a!.subarray(0, n), b!.subarray(0, n), { ...setting, anytime });
      return interval !== null && !holds(interval, truth);
    };
    const miss = { sequence: false, plain: false };
    for (let look = 1; look <= setting.looks; look++) {
      const n = Math.round((setting.rows * look) / setting.looks);
      // Once missed is missed.
      miss.sequence ||= await misses(n, true);
      miss.plain ||= await misses(n, false);
    }
    if (miss.sequence) missed.sequence++;
    if (miss.plain) missed.plain++;
  }
  return {
    sequence: { hits: missed.sequence, of: runs, runs },
    plain: { hits: missed.plain, of: runs, runs },
  };
}
