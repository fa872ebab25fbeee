// Ids: where names for new things come from.

/** Makes identifiers. */
export interface Ids {
  /** A UUID that was never given out before, in lower case. */
  next(): string;
}
