import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Sources are tested as they are, without a build: the "@assay/source" condition of each package names them.
const conditions = ["@assay/source", "module", "node", "import", "default"];

/** What takes longest begins first: begun last, one core would wait for it. */
const LONGEST = [
  "naive-is-clickhouse",
  "over-http",
  "naive-is-columns",
  "statistics-are-the-same",
  "training/crash",
  "weave/crash",
  "tracking/crash",
  "large",
  "metamorphic",
];

/** Packages whose tests compute alone: they keep nothing that outlives a test, so one process runs many files of them. */
const TOGETHER = [
  "base",
  "calls",
  "importers",
  "inference-core",
  "query-lang",
  "statistics",
  "trace-core",
  "tracking-core",
  "training-core",
  "adapters-http",
  "web",
].map((name) => `packages/${name}/test/**/*.test.ts`);
const ENGINE = [
  "packages/eval-engine/test/semantics/**/*.test.ts",
  "packages/eval-engine/test/view/**/*.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.includes(name));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    setupFiles: ["test/same-cases.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "all",
          include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "examples/*/test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...TOGETHER, ...ENGINE],
        },
      },
      {
        extends: true,
        test: { name: "together", isolate: false, include: [...TOGETHER, ...ENGINE] },
      },
      {
        // What is refused, and with which words, as the command says it.
        extends: true,
        test: {
          name: "interpreted",
          setupFiles: ["test/same-cases.ts", "packages/training-core/test/interpreted-schemas.ts"],
          include: [
            "packages/trace-core/test/c*.test.ts",
            "packages/training-core/test/reading.test.ts",
            "packages/adapters-http/test/eval-results.test.ts",
            "packages/adapters-http/test/training/face.test.ts",
            "packages/adapters-http/test/weave/*.test.ts",
          ],
        },
      },
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The machine this must run on has two cores.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
});
