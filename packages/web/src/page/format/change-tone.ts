// Whether a change is an improvement, if the measure has a direction.

import type { MeasureComparison } from "@assay/eval-engine";

/** The direction of measures by field; null or absent if unknown. */
export type Directions = ReadonlyMap<string, MeasureComparison["direction"]>;

/** How a change is shown: `even` if there is none, or if the measure has no direction. */
export type ChangeTone = "better" | "worse" | "even";

/** The tone of a difference. */
export function changeTone(
  by: number | null,
  direction: MeasureComparison["direction"] | undefined,
): ChangeTone {
  if (by === null || by === 0 || direction == null) return "even";
  return by > 0 === (direction === "higher") ? "better" : "worse";
}
