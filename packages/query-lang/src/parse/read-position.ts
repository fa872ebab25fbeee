// The reader's position in a query, with its depth.

import { shownName } from "@assay/base/internal";

/** The reader's position. It is a linked list, because the full path is only needed for issues. */
export interface ReadPosition {
  /** The previous step, or the path where reading began. */
  readonly before: ReadPosition | readonly (string | number)[];
  /** The key or index of this step; undefined if it only increases the depth. */
  readonly key: string | number | undefined;
  /** The number of enclosing operations and literals. */
  readonly depth: number;
}

/** The position where reading begins. */
export function start(path: readonly (string | number)[]): ReadPosition {
  return { before: path, key: undefined, depth: 0 };
}

/** One step further, on the same level. */
export function inside(at: ReadPosition, key: string | number): ReadPosition {
  return { before: at, key, depth: at.depth };
}

/** The same position, one level deeper. */
export function deeper(at: ReadPosition): ReadPosition {
  return { before: at, key: undefined, depth: at.depth + 1 };
}

/** The full path of `at`. Keys longer than 100 characters are cut, because every fault below one repeats it. */
export function pathTo(at: ReadPosition): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  let here: ReadPosition["before"] = at;
  for (; "before" in here; here = here.before) {
    if (here.key !== undefined) steps.push(typeof here.key === "string" ? shownName(here.key) : here.key);
  }
  return [...here, ...steps.reverse()];
}
