import type { FieldPath } from "@assay/query-lang";
import { asText } from "@assay/query-lang/internal";
import type { SelectedRows } from "./selected-rows.ts";

/**
 * The number of clusters of equal size that clusters numbered from 0 are worth, n²/Σn_g²: one that has half of the rows
 * decides as much as all others. Source: Kish, "Survey Sampling", 1965; for tests, Carter, Schnepel and Steigerwald,
 * "Asymptotic Behavior of a t-Test Robust to Cluster Heterogeneity", 2017.
 */
export function effectiveClusters(clusterOf: Int32Array): number {
  const sizes: number[] = [];
  for (const cluster of clusterOf) sizes[cluster] = (sizes[cluster] ?? 0) + 1;
  const squares = sizes.reduce((sum, size) => sum + size * size, 0);
  return squares === 0 ? 0 : (clusterOf.length * clusterOf.length) / squares;
}

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
