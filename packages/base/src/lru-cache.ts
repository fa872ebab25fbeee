// An LRU cache: the least recently used entry is evicted first. A `Map` keeps its keys in the order in which they were
// added, so a key that is used is taken out and added again.

/** Values by key, of which those used last are kept. */
export interface LruCache<Key, Value> {
  /** How many values are kept. */
  readonly size: number;
  /** The value, which counts as used; undefined when it is not there. */
  get(key: Key): Value | undefined;
  /** Keeps a value as the one used last, in place of one under the same key. One that never fits is not kept. */
  set(key: Key, value: Value): void;
  /** Forgets a value. */
  delete(key: Key): void;
}

/** A cache of values that together weigh at most `capacity`; each weighs 1 unless `weigh` says otherwise. */
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
