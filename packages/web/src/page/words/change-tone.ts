// Whether a change is for the better, as far as anybody has said which values are better.

import type { MeasureComparison } from "@assay/eval-engine";

/** Which values of measures are better, by field; null or absent where it has not been said. */
export type Directions = ReadonlyMap<string, MeasureComparison["direction"]>;

/** How a change is shown: `even` where there is none, or where nobody has said which way is better. */
export type ChangeTone = "better" | "worse" | "even";

/** The tone of a difference. */
export function changeTone(
  by: number | null,
  direction: MeasureComparison["direction"] | undefined,
): ChangeTone {
  if (by === null || by === 0 || direction == null) return "even";
  return by > 0 === (direction === "higher") ? "better" : "worse";
}
