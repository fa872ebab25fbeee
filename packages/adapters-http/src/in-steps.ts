// Running what takes long a little at a time, so that nobody else waits for it.

import type { Steps } from "@assay/base";
import { nextTurn } from "./next-turn.ts";

/** Milliseconds that one turn takes. */
const TURN = 10;
/** The value that `steps` end with. Others have their turn every few milliseconds. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  let until = performance.now() + TURN;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    // The clock is looked at after each step: one may take some milliseconds itself.
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + TURN;
  }
}
