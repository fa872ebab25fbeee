// An LRU cache: the least recently used entry is evicted first. A `Map` keeps its keys in insertion order, so a used
// key is deleted and inserted again.

/** Keeps the values that were used last, by key. */
export interface LruCache<Key, Value> {
  /** The number of values kept. */
  readonly size: number;
  /** The value, which counts as used; undefined if it is not cached. */
  get(key: Key): Value | undefined;
  /** Adds a value as the most recently used, replacing one with the same key. A value that never fits is not kept. */
  set(key: Key, value: Value): void;
  /** Removes a value. */
  delete(key: Key): void;
}

/** A cache of values with a total weight of at most `capacity`; each weighs 1 unless `weigh` is given. */
export function lruCache<Key, Value>(
  capacity: number,
  weigh: (value: Value) => number = () => 1,
): LruCache<Key, Value> {
  const values = new Map<Key, { readonly value: Value; readonly weight: number }>();
  let held = 0;
  const remove = (key: Key): void => {
    held -= values.get(key)?.weight ?? 0;
    values.delete(key);
  };
  return {
    get size() {
      return values.size;
    },
    get(key) {
      const found = values.get(key);
      if (found === undefined) return undefined;
      values.delete(key);
      values.set(key, found);
      return found.value;
    },
    set(key, value) {
      remove(key);
      const weight = weigh(value);
      values.set(key, { value, weight });
      held += weight;
      for (const oldest of values.keys()) {
        if (held <= capacity) break;
        remove(oldest);
      }
    },
    delete: remove,
  };
}
