// The calls that were written last, as they were written: the end of a call mostly comes soon after its start, and
// what is at hand need not be read and parsed again. Bounded by the length of their texts.

import type { CallText } from "@assay/calls";

/** Calls by the place of their texts. */
export interface RecentCalls {
  /** The call whose text is at `at`, when it is still at hand. */
  get(at: number): CallText | undefined;
  add(at: number, item: CallText): void;
  remove(at: number): void;
}

/** Keeps calls with texts of `limit` bytes or characters together; the oldest go first. */
export function recentCalls(limit: number): RecentCalls {
  const items = new Map<number, CallText>();
  let size = 0;
  const remove = (at: number): void => {
    size -= items.get(at)?.text.length ?? 0;
    items.delete(at);
  };
  return {
    get: (at) => items.get(at),
    remove,
    add(at, item) {
      remove(at);
      items.set(at, item);
      size += item.text.length;
      for (const oldest of items.keys()) {
        if (size <= limit) break;
        remove(oldest);
      }
    },
  };
}
