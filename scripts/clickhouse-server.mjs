// `npm run test:clickhouse-server`: starts a real ClickHouse server and runs all ClickHouse tests against it. With
// ASSAY_TEST_CLICKHOUSE_URL it uses that server.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { testServer } from "../testing/src/clickhouse-server.mjs";

const USAGE = `npm run test:clickhouse-server -- [--runs N] [--seed N] [test file…]

  --runs N      number of random cases (ASSAY_RUNS; default 2000)
  --seed N      random seed (ASSAY_SEED)
  test files    parts of file names; default: all ClickHouse tests`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string" }, seed: { type: "string" }, help: { type: "boolean" } },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
for (const [name, value] of Object.entries(values)) {
  if (/^\d+$/.test(value)) continue;
  console.error(`--${name} must be a number, not ${value}\n\n${USAGE}`);
  process.exit(2);
}

const files = positionals.length > 0 ? positionals : ["packages/adapters-clickhouse", "cli/test/clickhouse"];
const server = await testServer();
const vitest = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", ...files], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    ASSAY_TEST_CLICKHOUSE_URL: server.url,
    ...(values.runs === undefined ? {} : { ASSAY_RUNS: values.runs }),
    ...(values.seed === undefined ? {} : { ASSAY_SEED: values.seed }),
  },
});
process.exitCode = await new Promise((resolve) => vitest.once("exit", (code) => resolve(code ?? 1)));
await server.stop();
