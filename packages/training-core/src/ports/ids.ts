// Ids: the source of new identifiers.

/** Makes identifiers. */
export interface Ids {
  /** A new UUID, in lower case. */
  next(): string;
}
