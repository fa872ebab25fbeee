// The tests of the area ASSAY_MUTATED in one project, which Stryker runs for each mutant.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
// @ts-expect-error -- plain JavaScript, because Stryker's configuration imports it too.
import { AREAS } from "./areas.mjs";

const conditions = ["@assay/source", "module", "node", "import", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    setupFiles: [fileURLToPath(new URL("../test/fixed-seed.ts", import.meta.url))],
    include: AREAS[process.env["ASSAY_MUTATED"] ?? "query-lang"].tests,
    testTimeout: 120_000,
  },
});
