/** Part of a list, in its order. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Whether there are more after them. */
  readonly hasMore: boolean;
}
