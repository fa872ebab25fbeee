// Adjusts p-values of related tests. Missing ones (null or NaN) stay null and do not count as tests.

/** A method that adjusts p-values for multiple testing. */
export type Adjustment = "holm" | "bh" | "none";

/** The adjusted p-values, in the order given. */
export function adjusted(p: readonly (number | null)[], adjustment: Adjustment): (number | null)[] {
  if (adjustment === "none") return [...p];
  return adjustment === "holm" ? holm(p) : benjaminiHochberg(p);
}

/**
 * Holm's step-down adjustment: if every adjusted p ≤ α counts as a finding, the chance that any finding is false is at
 * most α. max over smaller p of (m − rank + 1)·p, at most 1. Source: Holm 1979.
 */
export function holm(p: readonly (number | null)[]): (number | null)[] {
  const { order, adjusted } = ranked(p);
  let most = 0;
  for (const [k, i] of order.entries()) {
    most = Math.max(most, Math.min(1, (order.length - k) * p[i]!));
    adjusted[i] = most;
  }
  return adjusted;
}

/**
 * Benjamini and Hochberg's q-values: of the findings with q ≤ α, a share of at most α is false on average. min over
 * larger p of m·p/rank, at most 1. Source: Benjamini and Hochberg 1995.
 */
export function benjaminiHochberg(p: readonly (number | null)[]): (number | null)[] {
  const { order, adjusted } = ranked(p);
  let least = 1;
  for (let k = order.length - 1; k >= 0; k--) {
    const i = order[k]!;
    least = Math.min(least, (order.length / (k + 1)) * p[i]!);
    adjusted[i] = least;
  }
  return adjusted;
}

/** The indexes of the p-values, smallest p first. */
function ranked(p: readonly (number | null)[]): {
  readonly order: readonly number[];
  readonly adjusted: (number | null)[];
} {
  const order = [...p.keys()]
    .filter((i) => p[i] !== null && !Number.isNaN(p[i]))
    .sort((i, j) => p[i]! - p[j]! || i - j);
  return { order, adjusted: p.map(() => null) };
}
