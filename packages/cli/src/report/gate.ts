// A gate for a pipeline: the verdicts that fail it.

import type { MeasureComparison } from "@assay/eval-engine";
import type { JunitCase, JunitSuite } from "./junit.ts";

/** The verdicts that each gate fails, each a superset of the one before. */
export const GATES = ["regressed", "inconclusive", "not_better"] as const;

/** A gate by its name. */
export type Gate = (typeof GATES)[number];

type Verdict = MeasureComparison["verdict"];

/** Why a comparison cannot be judged; undefined if it has a verdict. */
export function unjudgedReason({
  verdict,
  difference,
  reason,
}: Pick<MeasureComparison, "verdict" | "difference" | "reason">): string | undefined {
  if (difference === null) return reason ?? "no data";
  return verdict === "no_direction" ? NO_DIRECTION : undefined;
}

const NO_DIRECTION = "no direction";

/** How many cases that cannot be judged are named; the others are counted. */
const NAMED = 3;

/** The case that fails a gate which can judge nothing about a pair; empty if it can. */
export function nothingJudged(gate: Gate, { name: pair, cases }: JunitSuite): readonly JunitCase[] {
  if (cases.some(({ skipped }) => skipped === undefined)) return [];
  const named = cases.slice(0, NAMED).map(({ name, skipped }) => `${name} (${skipped})`);
  const more = cases.length - named.length;
  const which =
    cases.length === 0
      ? "no measure to compare"
      : `nothing to judge by: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const isOpen = cases.some(({ skipped }) => skipped === NO_DIRECTION);
  const text = `${pair}: ${which}${isOpen ? `; set whether higher or lower is better, ${HOW_TO_SET_DIRECTION}` : ""}`;
  return [{ name: `--fail-on ${gate}`, text, failure: NOTHING, skipped: undefined }];
}

const NOTHING = "nothing_judged";

/** Whether this is the case of a gate that can judge nothing about its pair. */
export function judgesNothing({ failure }: JunitCase): boolean {
  return failure === NOTHING;
}

/** The ways to set the direction of a measure. */
export const HOW_TO_SET_DIRECTION =
  "with --higher NAME or --lower NAME of assay compare, or for a project with assay scores";

/** Whether the gate fails this verdict. */
export function failsGate(gate: Gate, verdict: Verdict): boolean {
  if (verdict === "regressed") return true;
  // The direction is unknown.
  if (verdict === "no_direction") return false;
  if (gate === "not_better") return verdict !== "improved";
  return gate === "inconclusive" && verdict === "inconclusive";
}
