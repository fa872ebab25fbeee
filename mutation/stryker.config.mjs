// Stryker's configuration for part ASSAY_MUTATED_PART, such as 1/10, of the area ASSAY_MUTATED.

import { linesOf } from "./areas.mjs";

const { ASSAY_MUTATED: area = "query-lang", ASSAY_MUTATED_PART: part = "1/1" } = process.env;
const [place, of] = part.split("/").map(Number);

export default {
  mutate: linesOf(area, place, of),
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "mutation/vitest.config.ts" },
  concurrency: 2,
  // The timeout detects mutants that loop forever; slow mutants must not reach it.
  timeoutMS: 20_000,
  reporters: ["progress-append-only", "json"],
  jsonReporter: { fileName: `build/mutation/${area}.json` },
  ignorePatterns: ["**/dist", "**/bundle", "bench", "build", "python", "mutation/node_modules"],
  tempDirName: "mutation/.stryker-tmp",
  cleanTempDir: "always",
  disableTypeChecks: false,
};
