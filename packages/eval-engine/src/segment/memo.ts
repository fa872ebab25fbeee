// Values that queries computed from a segment or a frame, kept beside it. To keep a value, declare a key, which
// carries its type and how long it stays right. Must know nothing of what it keeps.

/** One kind of value that is kept, and how. `Change` is what a copy is told of how it differs. */
export interface MemoKey<T, Change = never> {
  /** Whether a value outlasts a change of what it was worked out from, because it knows itself what it has of it. */
  readonly lasts?: boolean;
  /** The value for a copy; undefined when it is worked out there again. None is copied without. */
  copied?(value: T, change: Change): T | undefined;
  /** Bytes that a value holds, where that is much. */
  bytes?(value: T): number;
  /** Never there: it keeps keys of different types apart. */
  readonly type?: T;
}

interface Kind<Change> {
  readonly key: MemoKey<unknown, Change>;
  readonly values: Map<string, unknown>;
}

/** Values by their keys, and of one key by name. */
export class Memo<Change = never> {
  private readonly kinds: Map<object, Kind<Change>> = new Map();

  /** The value that is kept. */
  get<T>(key: MemoKey<T, Change>, name = ""): T | undefined {
    return this.kinds.get(key)?.values.get(name) as T | undefined;
  }

  /** Replaces a value. */
  set<T>(key: MemoKey<T, Change>, name: string, value: T): T {
    let kind = this.kinds.get(key);
    if (kind === undefined) {
      kind = { key, values: new Map() };
      this.kinds.set(key, kind);
    }
    kind.values.set(name, value);
    return value;
  }

  /** The value that is kept, or the one that `make` gives, which is kept from now on. */
  kept<T>(key: MemoKey<T, Change>, name: string, make: () => T): T {
    return this.get(key, name) ?? this.set(key, name, make());
  }

  /** The same of a value that takes a while. Two who ask meanwhile both work it out. */
  async keptLater<T>(key: MemoKey<T, Change>, name: string, make: () => Promise<T>): Promise<T> {
    return this.get(key, name) ?? this.set(key, name, await make());
  }

  /** Forgets a value. */
  delete<T>(key: MemoKey<T, Change>, name: string): void {
    this.kinds.get(key)?.values.delete(name);
  }

  /** Forgets all that a change makes wrong. */
  changed(): void {
    for (const [key, kind] of this.kinds) if (kind.key.lasts !== true) this.kinds.delete(key);
  }

  /** What a copy may go on with. */
  copy(change: Change): Memo<Change> {
    const copy = new Memo<Change>();
    for (const { key, values } of this.kinds.values()) {
      for (const [name, value] of values) {
        const own = key.copied?.(value, change);
        if (own !== undefined) copy.set(key, name, own);
      }
    }
    return copy;
  }

  /** Bytes held, roughly. */
  get size(): number {
    let size = 0;
    for (const { key, values } of this.kinds.values())
      if (key.bytes !== undefined) for (const value of values.values()) size += key.bytes(value);
    return size;
  }
}
