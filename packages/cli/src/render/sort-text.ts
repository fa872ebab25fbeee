// Describes in words how rows are sorted.

import type { EvalResultsSortBy } from "@assay/eval-engine";
import { measureName } from "@assay/eval-engine/words";

/** The sort order of rows, for people; evaluations have their labels. */
export function sortText(sortBy: readonly EvalResultsSortBy[], labels: ReadonlyMap<string, string>): string {
  // Consecutive keys of the same kind are combined.
  const groups: { readonly what: string; readonly direction: string; readonly fields: string[] }[] = [];
  for (const { field, direction, mode, evaluation_call_id: id } of sortBy) {
    const of = id === undefined || id === null ? "" : ` of ${labels.get(id) ?? id}`;
    const what = mode === "difference" ? "the difference in " : "";
    const name = measureName(field) + (mode === "difference" ? "" : of);
    const last = groups.at(-1);
    if (last !== undefined && last.what === what && last.direction === direction) last.fields.push(name);
    else groups.push({ what, direction, fields: [name] });
  }
  const keys = groups.map(
    ({ what, direction, fields }) =>
      `${what}${fields.join(", ")} (${direction === "desc" ? "largest" : "smallest"} first)`,
  );
  return `Sorted by ${[...keys, "row digest"].join(", then ")}`;
}
