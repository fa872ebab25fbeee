// Explains in sentences how the numbers of a measure were computed.

import type { MeasureComparison } from "@assay/eval-engine";
import { chanceText, marginText, neededText } from "@assay/eval-engine/words";

const INTERVALS: Readonly<Record<string, string>> = {
  t: "Student's t on the differences of rows",
  wilson: "Wilson's score interval",
  bonett_price: "Bonett and Price's interval for paired proportions",
  newcombe: "Newcombe's interval for two proportions",
  welch: "Welch's t",
  cluster_t: "t with clustered standard errors",
  cluster_wilson: "Wilson's score interval of the effective sample size",
  cluster_bonett_price: "Bonett and Price's interval of the effective sample size",
  cluster_newcombe: "Newcombe's interval of the effective sample sizes",
  bootstrap_bca: "the bootstrap, BCa",
  confidence_sequence: "a confidence sequence, valid at any time while the evaluation runs",
};

/** The sentences, the most important first. */
export function howComputed(measure: MeasureComparison): readonly string[] {
  const { reason, interval, pairs, paired, p_value, p_method, adjusted_p, noise, minimum_detectable } =
    measure;
  const { kind, baseline, candidate } = measure;
  const rows = paired ? pairs : Math.min(baseline.rows, candidate.rows);
  const found: (string | undefined)[] = [
    reason === null ? undefined : `${reason[0]!.toUpperCase()}${reason.slice(1)}.`,
    `${paired ? "Paired" : "Not paired"}: ${rows.toLocaleString("en")} ${paired ? "shared rows" : "rows or more in each"}${
      interval === null ? "" : `; interval by ${INTERVALS[interval.method] ?? interval.method}`
    }.`,
    p_value === null
      ? undefined
      : `p ${chanceIs(p_value)}${p_method === null ? "" : ` (${p_method.replaceAll("_", " ")})`}${
          adjusted_p === null || adjusted_p === p_value
            ? ""
            : `, ${chanceText(adjusted_p)} adjusted for all measures compared`
        }.`,
    minimum_detectable === null
      ? undefined
      : `With this many rows, the smallest detectable difference is ${marginText(kind, minimum_detectable)}.`,
    neededText(measure),
    noiseText(noise),
  ];
  return found.filter((one) => one !== undefined);
}

function chanceIs(chance: number): string {
  const text = chanceText(chance);
  return text.startsWith("<") ? text : `= ${text}`;
}

function noiseText(noise: MeasureComparison["noise"]): string | undefined {
  if (noise === null) return undefined;
  const { share_from_trials: share, flaky_rows: flaky } = noise;
  const sentences = [
    `${flaky.toLocaleString("en")} ${flaky === 1 ? "row is" : "rows are"} flaky: their trials disagree.`,
  ];
  if (share !== null)
    sentences.push(
      `${Math.round(100 * share)}% of the variance comes from repeated trials${
        share < 0.1 ? ": add rows rather than trials" : ""
      }.`,
    );
  return sentences.join(" ");
}
