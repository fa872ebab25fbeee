/** Part of a list, in its order. */
export interface Page<T> {
  /** The items, in the order of the list. */
  readonly items: readonly T[];
  /** Whether more items follow. */
  readonly hasMore: boolean;
}
