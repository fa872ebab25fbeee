// Caches values that queries computed from a segment or a frame. To cache a value, declare a key with its type and its
// lifetime. Must not depend on the cached values.

/** One kind of cached value. `Change` describes to a copy how it differs. */
export interface DerivedKey<T, Change = never> {
  /** Whether a value survives a change of its source because it tracks what it has included. */
  readonly lasts?: boolean;
  /** The value for a copy; undefined if the copy has to compute it again. Without this, copies do not get the value. */
  copied?(value: T, change: Change): T | undefined;
  /** The size of a value in bytes, if it is large. */
  bytes?(value: T): number;
  /** Never set: it distinguishes keys of different types. */
  readonly type?: T;
}

interface Kind<Change> {
  readonly key: DerivedKey<unknown, Change>;
  readonly values: Map<string, unknown>;
}

/** Cached values by key and name. */
export class DerivedCache<Change = never> {
  private readonly kinds: Map<object, Kind<Change>> = new Map();

  /** The cached value. */
  get<T>(key: DerivedKey<T, Change>, name = ""): T | undefined {
    return this.kinds.get(key)?.values.get(name) as T | undefined;
  }

  /** Replaces a value. */
  set<T>(key: DerivedKey<T, Change>, name: string, value: T): T {
    let kind = this.kinds.get(key);
    if (kind === undefined) {
      kind = { key, values: new Map() };
      this.kinds.set(key, kind);
    }
    kind.values.set(name, value);
    return value;
  }

  /** The cached value, or else the result of `make`, which is then cached. */
  kept<T>(key: DerivedKey<T, Change>, name: string, make: () => T): T {
    return this.get(key, name) ?? this.set(key, name, make());
  }

  /** The same for a value that takes a while. Two concurrent callers both compute it. */
  async keptLater<T>(key: DerivedKey<T, Change>, name: string, make: () => Promise<T>): Promise<T> {
    return this.get(key, name) ?? this.set(key, name, await make());
  }

  /** Removes a value. */
  delete<T>(key: DerivedKey<T, Change>, name: string): void {
    this.kinds.get(key)?.values.delete(name);
  }

  /** Removes all values that a change invalidates. */
  changed(): void {
    for (const [key, kind] of this.kinds) if (kind.key.lasts !== true) this.kinds.delete(key);
  }

  /** The values that a copy can keep. */
  copy(change: Change): DerivedCache<Change> {
    const copy = new DerivedCache<Change>();
    for (const { key, values } of this.kinds.values()) {
      for (const [name, value] of values) {
        const own = key.copied?.(value, change);
        if (own !== undefined) copy.set(key, name, own);
      }
    }
    return copy;
  }

  /** The approximate size in bytes. */
  get size(): number {
    let size = 0;
    for (const { key, values } of this.kinds.values())
      if (key.bytes !== undefined) for (const value of values.values()) size += key.bytes(value);
    return size;
  }
}
