// Creates schemas on first use, so that programs that never read such bodies do not pay for them.

/** The schemas of one module. */
export interface LazySchemas {
  /** Whether they have been used. */
  isMade(): boolean;
  /** Creates them, unless they exist. */
  make(): void;
}

const all: LazySchemas[] = [];

/** The result of `make`, created on first use and kept. */
export function lazySchemas<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  const schemas = (): T => {
    made ??= make();
    return made;
  };
  all.push({ isMade: () => made !== undefined, make: () => void schemas() });
  return schemas;
}

/**
 * Those of all loaded modules: for a server that loads their library ahead, and for a test that creates them, since an
 * invalid one must not wait for its first request.
 */
export function everySchema(): readonly LazySchemas[] {
  return all;
}
