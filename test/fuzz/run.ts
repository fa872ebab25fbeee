// Runs one round of a fuzz target in a separate process. scripts/fuzz.mjs starts it, and kills it if an input takes too
// long.
//   run.ts list                              prints the targets as JSON
//   run.ts NAME SEED RUNS MILLISECONDS PATH  PATH repeats one input of the seed; `-` runs all
// Before each input it writes the input's number to the file ASSAY_FUZZ_AT, so that the parent can name an input that
// hangs or crashes.

import { openSync, writeSync } from "node:fs";
import fc from "fast-check";
import { TARGETS } from "./targets.ts";

const [name, seed, runs, milliseconds, path] = process.argv.slice(2);
if (name === "list") {
  const listed = TARGETS.map(({ name: target, what, patience, memory }) => ({
    ...{ name: target, what, patience, memory },
  }));
  process.stdout.write(JSON.stringify(listed));
} else await round();

async function round(): Promise<void> {
  const target = TARGETS.find((one) => one.name === name);
  if (target === undefined) throw new Error(`unknown target ${name}`);
  const property = await target.property(true);
  // The first input loads the target's modules, which its time limit does not include.
  await fc.check(property, { seed: Number(seed), numRuns: 1 });
  const at = process.env["ASSAY_FUZZ_AT"];
  let count = 0;
  if (at !== undefined) {
    const file = openSync(at, "w");
    const { run } = property;
    property.run = (...args) => {
      writeSync(file, `${++count}`.padEnd(12), 0);
      return run.apply(property, args);
    };
  }
  const found = await fc.check(property, {
    seed: Number(seed),
    numRuns: Number(runs),
    interruptAfterTimeLimit: Number(milliseconds),
    markInterruptAsFailure: false,
    ...(path !== undefined && path !== "-" && { path }),
  });
  if (found.failed) {
    const { counterexamplePath, errorInstance } = found;
    const error =
      errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : errorInstance;
    const shown = fc.stringify(found.counterexample);
    end({ path: counterexamplePath, error, counterexample: shown.slice(0, 4000) }, 1);
  } else end({ inputs: found.numRuns }, 0);
}

/** Prints the report and exits, even if a target still has open servers. */
function end(report: object, code: number): void {
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(code));
}
