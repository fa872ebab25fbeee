// Schemas that are made when they are first used: a program that reads no such body does not pay for them.

/** Schemas of one module. */
export interface LazySchemas {
  /** Whether they have been used. */
  isMade(): boolean;
  /** Makes them, where they are not made yet. */
  make(): void;
}

const all: LazySchemas[] = [];

/** What `make` makes, made when it is first asked for and kept. */
export function lazySchemas<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  const schemas = (): T => {
    made ??= make();
    return made;
  };
  all.push({ isMade: () => made !== undefined, make: () => void schemas() });
  return schemas;
}

/** Those of all modules that are loaded, for a test to make: a wrong one must not wait for its first request. */
export function everySchema(): readonly LazySchemas[] {
  return all;
}
