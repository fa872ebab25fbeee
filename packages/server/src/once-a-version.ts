// What is told of all calls of a project, kept until something is written to it: whoever opens a page asks for it first,
// and a count of a million calls is the same until then.

import { type LruCache, lruCache } from "@assay/base/internal";

/** Projects whose answer is kept. */
const MOST_PROJECTS = 64;

interface Kept<T> {
  readonly version: number;
  readonly value: Promise<T>;
}

/** `load`, asked once for each version of a project; one that rejects is asked again. */
export function onceAVersion<T>(
  calls: { version(project: string): number | Promise<number> },
  load: (project: string) => Promise<T>,
): (project: string) => Promise<T> {
  const kept: LruCache<string, Kept<T>> = lruCache(MOST_PROJECTS);
  return async (project) => {
    // Read first: what is written while it is loaded has another version.
    const version = await calls.version(project);
    const known = kept.get(project);
    if (known?.version === version) return known.value;
    const value = load(project);
    kept.set(project, { version, value });
    value.catch(() => {
      if (kept.get(project)?.value === value) kept.delete(project);
    });
    return value;
  };
}
