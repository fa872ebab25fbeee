// Ids: where names for new things come from.

/** Makes identifiers. */
export interface Ids {
  /** A new UUID, in lower case. */
  next(): string;
}
