// The methods under test, each from row values to an interval and a p-value, chosen as a comparison chooses them.

import {
  bonettPrice,
  bootstrapBca,
  clusterEstimate,
  type Estimate,
  type Interval,
  mcnemar,
  meanEstimate,
  moments,
  newcombe,
  proportionsTest,
  signFlip,
  tInterval,
  tTest,
  welch,
  wilson,
} from "../src/index.ts";
import { clustersOf, type Design } from "./quantities.ts";

/** The level of every interval here. */
export const LEVEL = 0.95;

/** Resamples of the bootstrap here; the default of `bootstrapBca` is 10,000, which takes ten times as long. */
export const RESAMPLES = 1000;

/** What a method says; null where it says nothing. */
export interface Finding {
  readonly interval: Interval | null;
  readonly p: number | null;
}

const passes = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

const ofEstimate = (estimate: Estimate | null, method?: "cluster_t" | "welch"): Finding =>
  estimate === null
    ? { interval: null, p: null }
    : { interval: tInterval(estimate, LEVEL, method), p: tTest(estimate) };

const ofRows = (values: Float64Array): Finding => ofEstimate(meanEstimate(moments({ values })));

const differences = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, i) => b[i]! - value);

/** Methods for the mean of one evaluation. */
export const ONE: Readonly<Record<string, (values: Float64Array, design: Design) => Finding>> = {
  wilson: (values) => ({ interval: wilson(passes(values), values.length, LEVEL), p: null }),
  t: ofRows,
  cluster_t: (values, design) =>
    ofEstimate(clusterEstimate(values, clustersOf(design)).estimate, "cluster_t"),
  bootstrap_bca: (values) => ({
    interval: bootstrapBca(values, { level: LEVEL, resamples: RESAMPLES }),
    p: null,
  }),
};

/** Methods for the difference of two evaluations. */
export const TWO: Readonly<Record<string, (a: Float64Array, b: Float64Array, design: Design) => Finding>> = {
  bonett_price: (a, b) => {
    const d = differences(a, b);
    const [up, down] = [d.filter((x) => x > 0).length, d.filter((x) => x < 0).length];
    return { interval: bonettPrice(up, down, d.length, LEVEL), p: mcnemar(up, down).midP };
  },
  t: (a, b) => {
    const values = differences(a, b);
    const found = ofRows(values);
    return { ...found, p: signFlip({ values }) ?? found.p };
  },
  cluster_t: (a, b, design) => ONE["cluster_t"]!(differences(a, b), design),
  bootstrap_bca: (a, b, design) => ONE["bootstrap_bca"]!(differences(a, b), design),
  newcombe: (a, b) => {
    const [first, second] = [a, b].map((side) => ({ successes: passes(side), n: side.length }));
    return { interval: newcombe(first!, second!, LEVEL), p: proportionsTest(first!, second!) };
  },
  welch: (a, b) => {
    const [first, second] = [a, b].map((values) => meanEstimate(moments({ values })));
    return ofEstimate(first == null || second == null ? null : welch(first, second), "welch");
  },
};
