// Sequential IDs: every run of a program gets the same ones. For tests and simulations.

import type { Ids } from "../ports/ids.ts";

/** An `Ids` that returns `00000000-0000-4000-8000-000000000001` and so on. */
export function countingIds(): Ids {
  let count = 0;
  return {
    next() {
      count++;
      return `00000000-0000-4000-8000-${count.toString(16).padStart(12, "0")}`;
    },
  };
}
