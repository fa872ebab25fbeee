import { defineConfig } from "vitest/config";

// Sources are tested as they are, without a build: the "@assay/source" condition of each package names them.
const conditions = ["@assay/source", "module", "node", "import", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "examples/*/test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The machine this must run on has two cores.
    maxWorkers: 2,
  },
});
