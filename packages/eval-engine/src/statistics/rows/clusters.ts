import type { FieldPath } from "@assay/query-lang";
import { asText } from "@assay/query-lang/internal";
import type { SelectedRows } from "./selected-rows.ts";

/**
 * The cluster of each selected row: rows whose field reads as the same text form one. A row without a value is its own
 * cluster.
 */
export function clustersOf(
  selection: SelectedRows,
  by: FieldPath,
): { readonly clusters: Int32Array; readonly without: number } {
  const { codes, values } = selection.field(by);
  const byText = new Map<string, number>();
  const clusterOf = values.map((value) => {
    const text = asText(value)!;
    const known = byText.get(text) ?? byText.size;
    byText.set(text, known);
    return known;
  });
  let without = 0;
  const clusters = codes.map((code) => (code === -1 ? byText.size + without++ : clusterOf[code]!));
  return { clusters, without };
}
