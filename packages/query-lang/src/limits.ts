// How large a query may be. User input never drives unbounded depth, time or memory: these are checked while reading.

/** The bounds of a query. What is larger is refused, with the place where it grew too large. */
export const LIMITS = {
  /** Levels of nesting: `$expr`'s operation is the first; operands, and values inside a literal, are one deeper. */
  depth: 64,
  /**
   * Operations, and values inside literals, in all queries that share a `Budget`. Scalar literals in the list of
   * `$in` are not counted: `listMembers` bounds them.
   */
  nodes: 10_000,
  /** Members in the list of one `$in`. */
  listMembers: 10_000,
  /** UTF-16 units in a literal string or a field path. */
  textLength: 65_536,
  /** Segments in a field path. */
  pathSegments: 32,
  /** Issues in one answer: what is wrong beyond them is not listed. */
  issues: 100,
} as const;

/** What may still be read. Pass one to all queries of a request, so that they share `LIMITS.nodes`. */
export interface Budget {
  /** Nodes that may still be read; `readQuery` counts them down. */
  nodes: number;
}

/** A fresh budget, of `LIMITS.nodes`. */
export function newBudget(): Budget {
  return { nodes: LIMITS.nodes };
}
