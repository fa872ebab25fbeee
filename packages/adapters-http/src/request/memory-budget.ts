// Limits the memory in use. Beyond the limit, clients are asked to retry later, so memory use stays bounded under any
// load.

/** The memory of one request, reserved from a budget. */
export interface Reservation {
  /** Takes `bytes` more. False if the budget does not allow them. */
  take(bytes: number): boolean;
  /** Releases everything. */
  release(): void;
}

/** Limits the bytes of running requests, in total and for each key. */
export interface MemoryBudget {
  /** An empty reservation for the holder of the key with this ID. */
  reserve(key: string): Reservation;
}

/** How to divide a budget. */
export interface MemoryBudgetOptions {
  /** The most bytes of one key while other keys use the budget. Default: all. */
  readonly share?: number | undefined;
  /** The budget that contains this one: bytes taken here are also taken there. */
  readonly within?: MemoryBudget | undefined;
}

/**
 * A budget of `limit` bytes. A larger request is admitted if its key has nothing else there; the only key that uses it
 * may have all of it.
 */
export function memoryBudget(
  limit: number,
  { share = limit, within }: MemoryBudgetOptions = {},
): MemoryBudget {
  let used = 0;
  const usedBy = new Map<string, number>();
  return {
    reserve(key) {
      let own = 0;
      const outer = within?.reserve(key);
      return {
        take(bytes) {
          const ofKey = usedBy.get(key) ?? 0;
          const single = used === own;
          if (!single && (used + bytes > limit || (ofKey > own && ofKey + bytes > share))) return false;
          if (outer?.take(bytes) === false) return false;
          own += bytes;
          used += bytes;
          usedBy.set(key, ofKey + bytes);
          return true;
        },
        release() {
          outer?.release();
          used -= own;
          const left = (usedBy.get(key) ?? 0) - own;
          if (left > 0) usedBy.set(key, left);
          else usedBy.delete(key);
          own = 0;
        },
      };
    },
  };
}
