// Caches the records read last, so that frequent requests (the roots of compared evaluations, the rows of a page) need
// no lookup, which scans the index of all records. It must never return a record from before a write: entries belong to
// one version of their project.

import { lruCache } from "@assay/base/internal";

/** The memory for cached records of a store, in bytes of their texts. */
const CAPACITY = 2 ** 23;
/** The overhead of a record in addition to its text. */
const ENTRY = 256;
/** A request for more than a page reads all of its records once, without the cache. */
const MOST_NAMES = 512;

/** The result of a lookup: the value, undefined if it does not exist, and the size of its text in bytes. */
interface LookupResult<T> {
  readonly value: T | undefined;
  readonly size: number;
}

/**
 * Looks up records by name; uses `load`, which returns one result per name, for those not cached. `version` is the
 * project's, taken before anything is read.
 */
export type RecordCache<T> = (
  project: number,
  version: number,
  names: readonly string[],
  load: (names: readonly string[]) => Promise<readonly LookupResult<T>[]>,
) => Promise<readonly (T | undefined)[]>;

/** A cache for records of one kind in a store. */
export function recordCache<T>(): RecordCache<T> {
  const cache = lruCache<string, LookupResult<T>>(CAPACITY, ({ size }) => size + ENTRY);
  return async (project, version, names, load) => {
    if (names.length > MOST_NAMES) return (await load(names)).map(({ value }) => value);
    const key = (name: string): string => `${project} ${version} ${name}`;
    const results = new Map(names.map((name) => [name, cache.get(key(name))]));
    const missing = [...results].flatMap(([name, found]) => (found === undefined ? [name] : []));
    const loaded = missing.length === 0 ? [] : await load(missing);
    for (const [i, name] of missing.entries()) {
      results.set(name, loaded[i]);
      cache.set(key(name), loaded[i]!);
    }
    return names.map((name) => results.get(name)?.value);
  };
}
