// What is mutated: code that decides, and the tests that must notice. Paths are the repository's.

/** By name; `mutate` are sources, `tests` what runs for each mutant. */
export const AREAS = {
  "query-lang": {
    mutate: ["packages/query-lang/src/**/*.ts"],
    tests: ["packages/query-lang/test/**/*.test.ts"],
  },
  statistics: {
    mutate: ["packages/statistics/src/**/*.ts"],
    tests: ["packages/statistics/test/**/*.test.ts"],
  },
  plan: {
    mutate: ["packages/eval-engine/src/plan/**/*.ts"],
    tests: ["packages/eval-engine/test/**/*.test.ts"],
  },
  jobs: {
    mutate: ["packages/training-core/src/job/**/*.ts", "packages/training-core/src/state/**/*.ts"],
    tests: ["packages/training-core/test/**/*.test.ts"],
  },
  normaliser: {
    mutate: ["packages/inference-core/src/normalise*.ts"],
    tests: ["packages/inference-core/test/**/*.test.ts", "packages/adapters-openai/test/**/*.test.ts"],
  },
};
