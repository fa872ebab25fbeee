// Results compared between Node and a browser: digits that depend on stdlib, the generator and exact sums.

import * as statistics from "../src/index.ts";

export async function page(): Promise<unknown> {
  const values = Array.from({ length: 60 }, (_, i) => ((i * 37) % 11) / 7);
  const estimate = statistics.meanEstimate(statistics.moments({ values }))!;
  return {
    exports: Object.keys(statistics).toSorted(),
    wilson: statistics.wilson(8, 10, 0.95),
    jeffreys: statistics.jeffreys(8, 10, 0.95),
    t: [estimate, statistics.tInterval(estimate, 0.99), statistics.tTest(estimate)],
    bootstrap: statistics.bootstrapBca(values, { level: 0.95, resamples: 500, seed: 7 }),
    signFlip: statistics.signFlip({ values: values.map((value) => value - 0.5) }),
    sequence: statistics.confidenceSequence({ mean: 0, sd: 1, n: 100, alpha: 0.05 }),
  };
}
