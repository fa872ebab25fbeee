// `npm run test:page`: the tests of the page at full length: 500 random filters, after 200 of which the page is loaded
// again, 500 random projects whose every count is clicked, 5,000 requests to an exported file and the server, 5,000
// gestures for the heap, 10,000 places that go into the address and back. ASSAY_PAGE_RUNS says another length,
// ASSAY_SEED another seed.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "test/web", "packages/web", "--maxWorkers=1", "--testTimeout=14400000"],
  { cwd: root, stdio: "inherit", env: { ASSAY_PAGE_RUNS: "500", ASSAY_BROWSER: "required", ...process.env } },
);
process.exitCode = status ?? 1;
