// Exponential backoff: how long to wait before the next attempt. Does not wait itself, because the caller owns the
// clock.

/** The shortest and the longest pause. */
export interface BackoffBounds {
  /** Milliseconds after the first failure; doubled with each further one. */
  readonly firstMs: number;
  /** The longest pause in milliseconds. */
  readonly longestMs: number;
}

/** Milliseconds to wait after `failures` consecutive failures; 0 after none. */
export function backoffMs(failures: number, { firstMs, longestMs }: BackoffBounds): number {
  return failures === 0 ? 0 : Math.min(firstMs * 2 ** (failures - 1), longestMs);
}
