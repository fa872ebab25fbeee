// The records read last, so that what is asked again and again (the roots of the evaluations that someone compares, the
// rows of a page) is not looked up each time: a look-up scans the index of every record that there is. Must never give a
// record as it was before a write: what is kept belongs to one version of its project.

import { lruCache } from "@assay/base/internal";

/** Memory for the records of a store, in bytes of their texts. */
const CAPACITY = 2 ** 23;
/** What a record costs beside its text. */
const ENTRY = 256;
/** A request for more than a page reads all of them, each once. */
const MOST_NAMES = 512;

/** A record that was looked for: its value, undefined where there is none, and the bytes of its text. */
interface Looked<T> {
  readonly value: T | undefined;
  readonly size: number;
}

/**
 * Looks records up by their names, those that are not kept by `load`, which gives one for each name. `version` is the
 * project's, taken before anything is read.
 */
export type ReadLast<T> = (
  project: number,
  version: number,
  names: readonly string[],
  load: (names: readonly string[]) => Promise<readonly Looked<T>[]>,
) => Promise<readonly (T | undefined)[]>;

/** The records of one kind in a store. */
export function readLast<T>(): ReadLast<T> {
  const kept = lruCache<string, Looked<T>>(CAPACITY, ({ size }) => size + ENTRY);
  return async (project, version, names, load) => {
    if (names.length > MOST_NAMES) return (await load(names)).map(({ value }) => value);
    const key = (name: string): string => `${project} ${version} ${name}`;
    const looked = new Map(names.map((name) => [name, kept.get(key(name))]));
    const missing = [...looked].flatMap(([name, found]) => (found === undefined ? [name] : []));
    const loaded = missing.length === 0 ? [] : await load(missing);
    for (const [i, name] of missing.entries()) {
      looked.set(name, loaded[i]);
      kept.set(key(name), loaded[i]!);
    }
    return names.map((name) => looked.get(name)?.value);
  };
}
