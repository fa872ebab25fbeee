// `npm run test:deep`: kills servers many times, then runs the property tests for the given time, in rounds with a new
// seed each. Stops at the first failure and prints the command that repeats it.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const USAGE = `npm run test:deep -- [--minutes N | --runs N] [--seed N] [--crashes N] [test file…]

  --minutes N   how long to run (ASSAY_MINUTES; default 10 without --runs)
  --runs N      how many cases to run instead (ASSAY_RUNS)
  --seed N      first seed (ASSAY_SEED; default random)
  --crashes N   how many times to kill a server first, of each kind: while it logs, trains and receives artifacts (ASSAY_CRASH_ROUNDS; default 200, or 0 with test files)
  test files    parts of file names; default: the engine's property tests`;

// Small enough that every property runs every minute or two, and that no process runs for long.
const CASES_PER_ROUND = 40_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string" },
    runs: { type: "string" },
    seed: { type: "string" },
    crashes: { type: "string" },
    help: { type: "boolean" },
  },
});
const number = (flag, variable) => {
  const text = values[flag] ?? process.env[variable];
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!(value >= 0)) fail(`--${flag} must be a number, not ${text}`);
  return value;
};
function fail(message) {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
}
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const runs = number("runs", "ASSAY_RUNS");
const minutes = number("minutes", "ASSAY_MINUTES") ?? (runs === undefined ? 10 : Number.POSITIVE_INFINITY);
const firstSeed = number("seed", "ASSAY_SEED") ?? randomInt(2 ** 31 - 1);
const files =
  positionals.length > 0
    ? positionals
    : ["naive-is-columns", "statistics-are-the-same", "statistics-pushed-down", "metamorphic"];

const vitest = (args, env) =>
  spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  }).status;

const crashes = number("crashes", "ASSAY_CRASH_ROUNDS") ?? (positionals.length > 0 ? 0 : 200);
if (crashes > 0) {
  const rounds = String(crashes);
  const env = { ASSAY_CRASH_ROUNDS: rounds, ASSAY_SEED: String(firstSeed) };
  if (vitest(["test/weave/crash", "test/tracking/crash", "training/crash"], env) !== 0) {
    console.error(`\nfailed; to repeat: npm run test:deep -- --crashes ${crashes} --seed ${firstSeed}`);
    process.exit(1);
  }
  // The same number of kills while it logs, while it receives artifacts and while it trains.
  console.log(`${3 * crashes} kills, nothing lost`);
}

const started = Date.now();
const deadline = started + minutes * 60_000;
let left = runs ?? Number.POSITIVE_INFINITY;
for (let round = 0; left > 0 && Date.now() < deadline; round++) {
  const cases = Math.min(left, CASES_PER_ROUND);
  const seed = firstSeed + round;
  console.log(`round ${round + 1}: seed ${seed}, up to ${cases} cases`);
  const status = vitest(files, {
    ASSAY_RUNS: String(cases),
    ASSAY_SEED: String(seed),
    ...(Number.isFinite(deadline) ? { ASSAY_DEADLINE: String(deadline) } : {}),
  });
  if (status !== 0) {
    console.error(`\nfailed; to repeat: npm run test:deep -- --runs ${cases} --seed ${seed}`);
    process.exit(1);
  }
  left -= cases;
}
console.log(`no failure in ${((Date.now() - started) / 60_000).toFixed(1)} minutes, from seed ${firstSeed}`);
