// A short form of `npm run fuzz`: checks each target on a few inputs, with ASSAY_SEED if it is set.

import { cases } from "@assay/testing/cases";
import fc from "fast-check";
import { test } from "vitest";
import { TARGETS } from "./targets.ts";

const SEED = process.env["ASSAY_SEED"] === undefined ? {} : { seed: Number(process.env["ASSAY_SEED"]) };

// The importers' target runs next to their other tests.
test.each(TARGETS.filter(({ name }) => name !== "importers"))("$name: $what", async (target) => {
  const numRuns = cases(target.few);
  await fc.assert(await target.property(false), { numRuns, ...SEED });
});
