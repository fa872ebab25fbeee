// The tests of the area that ASSAY_MUTATED names, in one project, as Stryker runs them for each mutant.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
// @ts-expect-error -- plain JavaScript, which Stryker's own configuration reads too.
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
