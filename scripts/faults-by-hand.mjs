// Faults that we inserted into packages by hand, one at a time, and removed again: the test of `npm test` or of the
// lane that failed, and how many seconds the package's tests ran on two busy cores. scripts/testing-page.mjs writes
// them into TESTING.md.

/** The package, the change, the test that failed first, and the duration of the run in seconds. */
export const FAULTS_BY_HAND = [
  ["base", "a line of the maximum length is dropped (`<=` became `<`)", "line-splitter.test.ts", 14],
  ["query-lang", "an array index may have leading zeros", "conformance.test.ts", 14],
  ["statistics", "Wilson's interval adds z²/2n² under its root, not z²/4n²", "intervals.test.ts", 18],
  ["client", "a path segment `..` is not refused", "client.test.ts", 6],
  ["calls", "a call is written even if its pieces cancel each other out", "write-plan.test.ts", 7],
  ["inference-core", "tokens that the engine does not count are not counted", "normalise.test.ts", 9],
  ["training-core", "a job keeps 21 warnings, not 20 (`>=` became `>`)", "transition.test.ts", 19],
  ["trace-core", "a missing value sorts first", "calls-query.test.ts", 88],
  ["adapters-openai", "the idle timeout applies to the whole answer", "upstream-config.test.ts", 27],
  [
    "adapters-ray",
    "a job that Ray has accepted counts as refused (`< 300` became `< 200`)",
    "ray-trainer.test.ts",
    21,
  ],
  ["adapters-vitest", "the tokens of a trial are lost", "reporter.test.ts", 60],
  ["tracking-core", "bytes with another MD5 are accepted", "md5.test.ts (added for it)", 76],
  ["web", "a comparison opens with the first candidate, not the last", "choose.test.ts (added for it)", 76],
  [
    "importers",
    "a table is split at the delimiter that fits its lines worst",
    "delimited-rows.test.ts (test added for it)",
    20,
  ],
  [
    "importers",
    "lm-evaluation-harness's `higher_is_better` is read the other way round",
    "score-directions.test.ts",
    14,
  ],
  [
    "cli",
    "an evaluation without rows is compared or ranked when none is named",
    "named-evaluations.test.ts (added for it)",
  ],
  ["adapters-tiny", "`best_of` is ignored, not refused", "provider.test.ts (cases added for it)", 20],
  [
    "server",
    "a redacted text remains in the prompts below its trial",
    "redaction.test.ts (added for it)",
    75,
  ],
  [
    "adapters-worker",
    "a checkpoint file may have a different digest than announced",
    "process-trainer.test.ts",
    42,
  ],
  ["adapters-worker", "messages of an earlier attempt are accepted", "worker-gateway.test.ts", 20],
  ["adapters-http", "a key may open one more stream than its limit", "open-streams.test.ts", 14],
  [
    "adapters-duckdb",
    "the journal acknowledges writes without syncing them",
    "synced.test.ts (added for it)",
  ],
  ["adapters-duckdb", "artifacts are acknowledged without being synced", "synced.test.ts (added for it)"],
  ["model-tiny", "a long gradient is not clipped", "rl.test.ts", 67],
  ["eval-engine", "a row without a text sorts first", "naive-is-columns.test.ts", 58],
  [
    "adapters-clickhouse",
    "the direction of a score may be any that was ever set (without `FINAL`)",
    "laws.test.ts",
    74,
  ],
  ["test/lanes.ts", "a package does not trigger the lanes of those that depend on it", "lanes.test.ts", 21],
];
