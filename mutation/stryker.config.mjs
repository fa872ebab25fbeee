// Stryker's settings for the area that ASSAY_MUTATED names.

import { AREAS } from "./areas.mjs";

const area = process.env["ASSAY_MUTATED"] ?? "query-lang";

export default {
  mutate: AREAS[area].mutate,
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
