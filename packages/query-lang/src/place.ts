// Where the reader is in a query, and how deep.

import { shownName } from "@assay/base/internal";

/** Where the reader is. Linked, because a path is only wanted where something is wrong. */
export interface Place {
  /** The step before, or the path on which reading began. */
  readonly before: Place | readonly (string | number)[];
  /** The key or index of this step; undefined when it only goes deeper. */
  readonly key: string | number | undefined;
  /** How many operations, and literals inside literals, this is inside of. */
  readonly depth: number;
}

/** Where reading begins. */
export function start(path: readonly (string | number)[]): Place {
  return { before: path, key: undefined, depth: 0 };
}

/** One step further, on the same level. */
export function inside(at: Place, key: string | number): Place {
  return { before: at, key, depth: at.depth };
}

/** The same place, one level deeper. */
export function deeper(at: Place): Place {
  return { before: at, key: undefined, depth: at.depth + 1 };
}

/** The whole path to `at`. Keys longer than 100 characters are cut, because every fault below one repeats it. */
export function pathTo(at: Place): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  let here: Place["before"] = at;
  for (; "before" in here; here = here.before) {
    if (here.key !== undefined) steps.push(typeof here.key === "string" ? shownName(here.key) : here.key);
  }
  return [...here, ...steps.reverse()];
}
