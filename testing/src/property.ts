// How to run properties of the engine: on which cases, how many, with which seed, and how to report a failure.
//
//   ASSAY_RUNS      number of cases (one request each, with whole responses compared); default 20,000 in a full run. Laws
//                   run 1% of it.
//   ASSAY_SEED      repeats a run
//   ASSAY_DEADLINE  when to stop early, in milliseconds since 1970, for `npm run test:deep`

import fc from "fast-check";
import { cases } from "./cases.ts";

/** The number of cases in one run of the tests. */
export const CASES: number = cases(20_000);

const deadline = Number(process.env["ASSAY_DEADLINE"] ?? Number.POSITIVE_INFINITY);

/** Whether a run may stop before it has run all of its cases. */
export const mayStopEarly: boolean = Number.isFinite(deadline);

/** The timeout of a property in milliseconds: more than any machine needs. */
export const PATIENCE: number = 24 * 3600 * 1000;

/** Checks a property on the values in `first` and `numRuns` random values. */
export async function check<T>(
  values: fc.Arbitrary<T>,
  holds: (value: T) => Promise<void>,
  {
    numRuns,
    first = [],
    seed = process.env["ASSAY_SEED"],
  }: { readonly numRuns: number; readonly first?: readonly T[]; readonly seed?: string | undefined },
): Promise<void> {
  // Shrinking can take very long, so the first failure is reported immediately.
  let reported = false;
  let last: Promise<void> = Promise.resolve();
  const holdsOrReports = async (value: T): Promise<void> => {
    try {
      last = holds(value);
      await last;
    } catch (error) {
      if (!reported) console.error(`fails; shrinking:\n${JSON.stringify(value, withoutNulls)}`, error);
      reported = true;
      throw error;
    }
  };
  await fc.assert(fc.asyncProperty(values, holdsOrReports), {
    numRuns: Math.ceil(numRuns),
    examples: first.map((value) => [value]),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    ...(mayStopEarly ? { interruptAfterTimeLimit: Math.max(1000, deadline - Date.now()) } : {}),
    asyncReporter: async (run) => {
      if (mayStopEarly) console.log(`checked ${run.numRuns} cases`);
      // A run that times out before its first case has not failed.
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
  // An interrupted case keeps running: its resources must stay available until it ends.
  await last;
}

/** Omits null fields of calls, so that a case is short to read. */
function withoutNulls(key: string, value: unknown): unknown {
  if (key !== "calls" || !Array.isArray(value)) return value;
  return value.map((call: object) =>
    Object.fromEntries(Object.entries(call).filter(([, field]) => field !== null)),
  );
}
