// Faults that were put into packages by hand, one at a time and not kept: which test of the package noticed each, and after
// how many seconds of a run on two busy cores. Written into TESTING.md.

/** The package, what was changed in it, the test that failed first, and the seconds that the run took. */
export const FAULTS_BY_HAND = [
  ["base", "a line of the longest length allowed is dropped (`<=` became `<`)", "line-splitter.test.ts", 14],
  ["query-lang", "an array index may begin with zeros", "conformance.test.ts", 14],
  ["statistics", "Wilson's interval adds z²/2n² under its root, not z²/4n²", "intervals.test.ts", 18],
  ["client", "a part `..` of an address is not refused", "client.test.ts", 6],
  ["calls", "a call that several pieces changed back is still written", "write-plan.test.ts", 7],
  ["inference-core", "tokens that the engine does not count are not counted", "normalise.test.ts", 9],
  ["training-core", "a job keeps 21 warnings, not 20 (`>=` became `>`)", "transition.test.ts", 19],
  ["trace-core", "a missing value sorts first", "calls-query.test.ts", 88],
  ["adapters-openai", "the idle timeout is that for a whole answer", "upstream-config.test.ts", 27],
  [
    "adapters-ray",
    "a job that Ray has accepted counts as refused (`< 300` became `< 200`)",
    "ray-trainer.test.ts",
    21,
  ],
  ["adapters-vitest", "the tokens of a trial are lost", "reporter.test.ts", 60],
  ["tracking-core", "bytes with another MD5 are accepted", "md5.test.ts (added for it)", 9],
  ["web", "a comparison opens with the first candidate, not the last", "choose.test.ts (added for it)", 9],
];
