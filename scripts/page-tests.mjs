// `npm run test:page`: runs the page tests at full length: 500 random filters (the page reloads after 200), 500 random
// projects in which every count is clicked, 5,000 requests to an exported file and the server, 5,000 gestures for the
// heap test, and 10,000 states that round-trip through the address. `--runs` scales the length, `--seed` sets the seed.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const { values } = parseArgs({
  options: { runs: { type: "string", default: "500" }, seed: { type: "string" } },
});
const report = join(root, "build/page-tests.json");
const { status } = spawnSync(
  process.execPath,
  [
    ...[vitest, "run", "test/web", "packages/web", "--maxWorkers=1", "--testTimeout=14400000"],
    ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      ASSAY_PAGE_RUNS: values.runs,
      ASSAY_BROWSER: "required",
      ...(values.seed !== undefined && { ASSAY_SEED: values.seed }),
    },
  },
);
process.exitCode = status ?? 1;
if (status === 0) {
  const { numPassedTests } = JSON.parse(readFileSync(report, "utf8"));
  console.log(`${values.runs} rounds of ${numPassedTests} tests passed`);
}
