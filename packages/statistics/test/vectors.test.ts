// Reference values computed by SciPy 1.17.1, matched to 1e-9.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { quantile } from "../src/distributions/quantile.ts";
import * as statistics from "../src/index.ts";

const vectors = JSON.parse(readFileSync(new URL("./fixtures/stats.json", import.meta.url), "utf8"));

function close(actual: number | null | undefined, expected: number): void {
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(
    1e-9 * Math.max(1, Math.abs(expected)),
  );
}

const INTERVALS = {
  wilson: statistics.wilson,
  clopper_pearson: statistics.clopperPearson,
  jeffreys: statistics.jeffreys,
} as const;

test.each(Object.entries(INTERVALS))("%s", (name, interval) => {
  for (const { k, n, lo, hi } of vectors[name]) {
    const found = interval(k, n, 0.95)!;
    close(found.low, lo);
    close(found.high, hi);
    expect(found.method).toBe(name);
  }
});

test("mean, spread and t interval", () => {
  const { x, mean, sd, se, lo, hi } = vectors.t_interval;
  const moments = statistics.moments({ values: x });
  const estimate = statistics.meanEstimate(moments)!;
  close(moments.mean, mean);
  close(Math.sqrt(moments.variance!), sd);
  close(estimate.se, se);
  const interval = statistics.tInterval(estimate, 0.95)!;
  close(interval.low, lo);
  close(interval.high, hi);
});

test("clusters", () => {
  const { x, cluster, se_cr0, se_cr1, miller_form_check } = vectors.clustered;
  const { estimate, clusters } = statistics.clusterEstimate(x, cluster);
  close(estimate!.se, se_cr1);
  // Without the correction for few clusters it is Miller's form.
  const uncorrected = estimate!.se * Math.sqrt((clusters - 1) / clusters);
  close(uncorrected, se_cr0);
  close(uncorrected, miller_form_check);
});

test("pairs", () => {
  const { a, b, mean_diff, se, t, p, unpaired_se, corr } = vectors.paired;
  const differences = a.map((one: number, i: number) => one - b[i]);
  const estimate = statistics.meanEstimate(statistics.moments({ values: differences }))!;
  close(estimate.mean, mean_diff);
  close(estimate.se, se);
  close(estimate.mean / estimate.se, t);
  close(statistics.tTest(estimate), p);
  close(statistics.correlation({ a, b }), corr);
  const [first, second] = [a, b].map((values) => statistics.meanEstimate(statistics.moments({ values }))!);
  close(statistics.welch(second!, first!).se, unpaired_se);
});

test("McNemar's test", () => {
  for (const { b, c, p_exact, p_mid, chi2_cc, p_chi2_cc } of vectors.mcnemar) {
    const found = statistics.mcnemar(b, c);
    close(found.exact, p_exact);
    close(found.midP, p_mid);
    close(found.chiSquared, chi2_cc);
    close(found.chiSquaredP, p_chi2_cc);
  }
});

test("Bonett and Price", () => {
  for (const { b, c, n, lo, hi } of vectors.bonett_price) {
    const found = statistics.bonettPrice(b, c, n, 0.95)!;
    close(found.low, lo);
    close(found.high, hi);
  }
});

test("pass@k and pass^k", () => {
  for (const { n, c, k, v } of vectors.pass_at_k) close(statistics.passAtK(n, c, k), v);
  for (const { n, c, k, v } of vectors.pass_hat_k) close(statistics.passHatK(n, c, k), v);
});

test("variance components", () => {
  const { trials, var_row_means, mean_within, prediction_var_of_mean, data_var, se_total, naive_se_pooled } =
    vectors.variance_components;
  const found = statistics.varianceComponents(trials)!;
  close(found.ofRowMeans, var_row_means);
  close(found.within, mean_within);
  close(found.fromTrials / trials.length, prediction_var_of_mean);
  close(found.fromRows, data_var);
  close(found.se, se_total);
  // The error if trials were pooled as if they were rows.
  const pooled = statistics.meanEstimate(statistics.moments({ values: trials.flat() }));
  close(pooled!.se, naive_se_pooled);
});

test("power", () => {
  const { delta, omega2, sigmaA2, sigmaB2, n, n_K10 } = vectors.power_n;
  const detectable = (variance: number, rows: number) =>
    statistics.minimumDetectable({
      se: Math.sqrt(variance / rows),
      df: Number.POSITIVE_INFINITY,
      level: 0.95,
    });
  const [once, tenTimes] = [1, 10].map((trials) => omega2 + (sigmaA2 + sigmaB2) / trials) as [number, number];
  close(statistics.rowsNeeded(100, detectable(once, 100), delta), n);
  close(statistics.rowsNeeded(100, detectable(tenTimes, 100), delta), n_K10);
  const { n: rows, mde, mde_K10 } = vectors.mde;
  close(detectable(once, rows), mde);
  close(detectable(tenTimes, rows), mde_K10);
});

test("Benjamini and Hochberg", () => {
  const found = statistics.benjaminiHochberg(vectors.bh.p);
  for (const [i, q] of vectors.bh.q.entries()) close(found[i], q);
});

test("type-7 quantiles", () => {
  const { x, p50, p90, p99 } = vectors.quantile_type7;
  const ascending = x.toSorted((a: number, b: number) => a - b);
  for (const [p, expected] of [
    [0.5, p50],
    [0.9, p90],
    [0.99, p99],
  ])
    close(quantile(ascending, p), expected);
});

test("the effect of pairs, in standard deviations", () => {
  const { a, b } = vectors.paired;
  const { mean, variance } = statistics.moments({ values: a.map((one: number, i: number) => one - b[i]) });
  close(mean! / Math.sqrt(variance!), vectors.cohens_d_paired);
});
