// Stryker's settings for the area that ASSAY_MUTATED names: all of it, or the part that ASSAY_MUTATED_SHARE (of 100) and
// ASSAY_MUTATED_SEED choose.

import { AREAS, sampled } from "./areas.mjs";

const {
  ASSAY_MUTATED: area = "query-lang",
  ASSAY_MUTATED_SHARE: share,
  ASSAY_MUTATED_SEED: seed,
} = process.env;

export default {
  mutate: share === undefined ? AREAS[area].mutate : sampled(area, Number(share), Number(seed)),
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "mutation/vitest.config.ts" },
  concurrency: 2,
  // A mutant that never ends is found out by its time; one that is only slower is not.
  timeoutMS: 20_000,
  reporters: ["progress-append-only", "json"],
  jsonReporter: { fileName: `build/mutation/${area}.json` },
  ignorePatterns: ["**/dist", "**/bundle", "bench", "build", "python", "mutation/node_modules"],
  tempDirName: "mutation/.stryker-tmp",
  cleanTempDir: "always",
  disableTypeChecks: false,
};
