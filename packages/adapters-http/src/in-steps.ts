// Running what takes long a little at a time, so that nobody else waits for it.

import { setImmediate } from "node:timers/promises";
import type { Steps } from "@assay/base";

/** Milliseconds that one turn takes. */
const TURN = 10;
/** Steps between looks at the clock. */
const LOOK = 32;

/** The value that `steps` end with. Others have their turn every few milliseconds. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  let until = performance.now() + TURN;
  for (let i = 1; ; i++) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (i % LOOK !== 0 || performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + TURN;
  }
}
