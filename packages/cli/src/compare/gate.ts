// A gate for a pipeline: the verdicts that fail it.

import type { MeasureComparison } from "@assay/eval-engine";

/** The verdicts that each gate fails, each a superset of the one before. */
export const GATES = ["regressed", "inconclusive", "not_better"] as const;

/** A gate by its name. */
export type Gate = (typeof GATES)[number];

type Verdict = MeasureComparison["verdict"];

/** Whether the gate fails this verdict. */
export function stops(gate: Gate, verdict: Verdict): boolean {
  if (verdict === "regressed") return true;
  // The direction is unknown.
  if (verdict === "no_direction") return false;
  if (gate === "not_better") return verdict !== "improved";
  return gate === "inconclusive" && verdict === "inconclusive";
}
