// How properties of the engine are run: on which cases, how many, from which seed, and what is said when one fails.
//
//   ASSAY_RUNS      compared cases (one request, whole responses); 20,000 in a full run when not given. Laws run 1 in 100 of that.
//   ASSAY_SEED      repeats a run
//   ASSAY_DEADLINE  milliseconds since 1970 at which to stop early, for `npm run test:deep`

import fc from "fast-check";
import { cases } from "./cases.ts";

/** Cases to compare in one run of the tests. */
export const CASES: number = cases(20_000);

const deadline = Number(process.env["ASSAY_DEADLINE"] ?? Number.POSITIVE_INFINITY);

/** Whether a run may end before it has done all of its cases. */
export const mayStopEarly: boolean = Number.isFinite(deadline);

/** Time that a property may take, in milliseconds: more than any machine needs. */
export const PATIENCE: number = 24 * 3600 * 1000;

/** Checks a property on `numRuns` random values, after those in `first`. */
export async function check<T>(
  values: fc.Arbitrary<T>,
  holds: (value: T) => Promise<void>,
  {
    numRuns,
    first = [],
    seed = process.env["ASSAY_SEED"],
  }: { readonly numRuns: number; readonly first?: readonly T[]; readonly seed?: string | undefined },
): Promise<void> {
  // Making a failing case smaller can take longer than anybody waits: it is said at once as well.
  let said = false;
  let last: Promise<void> = Promise.resolve();
  const holdsOrSays = async (value: T): Promise<void> => {
    try {
      last = holds(value);
      await last;
    } catch (error) {
      if (!said) console.error(`fails; making it smaller:\n${JSON.stringify(value, withoutNulls)}`, error);
      said = true;
      throw error;
    }
  };
  await fc.assert(fc.asyncProperty(values, holdsOrSays), {
    numRuns: Math.ceil(numRuns),
    examples: first.map((value) => [value]),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    ...(mayStopEarly ? { interruptAfterTimeLimit: Math.max(1000, deadline - Date.now()) } : {}),
    asyncReporter: async (run) => {
      if (mayStopEarly) console.log(`checked ${run.numRuns} cases`);
      // A run whose time was over before its first case has not failed.
      if (!run.failed || (mayStopEarly && run.interrupted && run.counterexample === null)) return;
      const [value] = run.counterexample ?? [];
      const reason =
        run.errorInstance instanceof Error ? run.errorInstance.message : String(run.errorInstance);
      const smallest = JSON.stringify(value, withoutNulls);
      const keep =
        first.length > 0 ? "; to keep it, add it to packages/eval-engine/src/testing/regressions.ts" : "";
      throw new Error(
        `fails after ${run.numRuns} runs; repeat with ASSAY_SEED=${run.seed}\nsmallest case${keep}:\n${smallest}\n${reason}`,
        { cause: run.errorInstance },
      );
    },
  });
  // A case that the end of the time interrupts goes on: what it uses must not be taken away under it.
  await last;
}

/** Leaves out what a call says nothing of, so that a case is short to read. */
function withoutNulls(key: string, value: unknown): unknown {
  if (key !== "calls" || !Array.isArray(value)) return value;
  return value.map((call: object) =>
    Object.fromEntries(Object.entries(call).filter(([, field]) => field !== null)),
  );
}
