// How much may be on its way to the store at once. Beyond it a client is told to come back: memory stays flat.

/** A count of bytes under way. */
export interface WriteQueue {
  /** Takes place for `bytes`; the answer gives it back. Undefined when there is no room. */
  enter(bytes: number): (() => void) | undefined;
}

/** A queue of at most `limit` bytes. One entry larger than that gets in when nothing else is there. */
export function writeQueue(limit: number): WriteQueue {
  let used = 0;
  return {
    enter(bytes) {
      if (used > 0 && used + bytes > limit) return undefined;
      used += bytes;
      let left = false;
      return () => {
        if (!left) used -= bytes;
        left = true;
      };
    },
  };
}
