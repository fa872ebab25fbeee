// What `npm run fuzz` does for minutes, for a moment: each target holds of some inputs, from a new seed each time.

import { cases } from "@assay/testing/cases";
import fc from "fast-check";
import { test } from "vitest";
import { TARGETS } from "./targets.ts";

const SEED = process.env["ASSAY_SEED"] === undefined ? {} : { seed: Number(process.env["ASSAY_SEED"]) };

// Importers have theirs beside their other tests.
test.each(TARGETS.filter(({ name }) => name !== "importers"))("$name: $what", async (target) => {
  const numRuns = cases(target.few);
  await fc.assert(await target.property(false), { numRuns, ...SEED });
});
