// A row's trials at one measure: a mark for each, filled if true. True need not be good, as in `hallucinated`.

import { numberText } from "@assay/eval-engine/words";
import type { JSX } from "preact";

/** Above this number, marks are replaced by a count. */
const MOST_MARKS = 12;

/** The marks, or their count. */
export function Trials({ values }: { readonly values: readonly (boolean | number | null)[] }): JSX.Element {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return <span class="muted">{values.length === 0 ? "not run" : "unscored"}</span>;
  if (known.some((value) => typeof value === "number")) {
    const numbers = known.map(Number);
    const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
    const spread = new Set(numbers).size > 1;
    const all = numbers.map(numberText).join(", ");
    return (
      <span class="number" title={spread ? all : undefined}>
        {numberText(mean)}
        {spread && <span class="muted"> mean of {numbers.length}</span>}
      </span>
    );
  }
  const passed = known.filter(Boolean).length;
  const glyph = passed === known.length ? "✓" : passed === 0 ? "✗" : "◐";
  const label = `${passed} of ${known.length} true${known.length < values.length ? `, ${values.length - known.length} unscored` : ""}`;
  const marks =
    values.length > MOST_MARKS
      ? `${passed} / ${known.length}`
      : values.length === 1
        ? String(passed === 1)
        : values.map((value) => (value === null ? "–" : value ? "●" : "○")).join("");
  // One element for each score of each cell, because a grid with fewer elements is faster.
  return (
    <span class="trials" role="img" aria-label={label} title={label}>
      {`${glyph} ${marks}`}
    </span>
  );
}
