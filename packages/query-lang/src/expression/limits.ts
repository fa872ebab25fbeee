// Limits of the size of queries. User input must never cause unlimited depth, time or memory: the limits are checked
// while reading.

/** The limits of a query. Larger queries are refused, with the path where they exceed a limit. */
export const LIMITS = {
  /**
   * Levels of nesting. The operation of `$expr` is on the first level; operands, and values inside a literal, are one
   * deeper.
   */
  depth: 64,
  /**
   * Operations, and values inside literals, in all queries that share a `Budget`. Scalar literals in the list of `$in`
   * do not count: `listMembers` limits them.
   */
  nodes: 10_000,
  /** Members in the list of one `$in`. */
  listMembers: 10_000,
  /** UTF-16 units in a literal string or a field path. */
  textLength: 65_536,
  /** Segments in a field path. */
  pathSegments: 32,
  /** Issues in one answer; further ones are not listed. */
  issues: 100,
} as const;

/** The remaining allowance. Pass the same budget to all queries of a request, so that they share `LIMITS.nodes`. */
export interface Budget {
  /** The number of nodes that may still be read; `readQuery` decreases it. */
  nodes: number;
}

/** A new budget of `LIMITS.nodes`. */
export function newBudget(): Budget {
  return { nodes: LIMITS.nodes };
}
