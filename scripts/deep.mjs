// `npm run test:deep`: servers killed many times, then the property tests for as long as asked, in rounds with a new
// seed each. Stops at the first failure, and says how to repeat it.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const USAGE = `npm run test:deep -- [--minutes N | --runs N] [--seed N] [--crashes N] [test file…]

  --minutes N   go on for so long (ASSAY_MINUTES; 10 when neither is given)
  --runs N      compare so many cases instead (ASSAY_RUNS)
  --seed N      begin with this seed (ASSAY_SEED; random when not given)
  --crashes N   kill a server so often first, while it logs, and as often while it trains (ASSAY_CRASH_ROUNDS; 200 when not given, none when test files are)
  test files    parts of their names; the engine's property tests when not given`;

// So that every property has its turn within a minute or two, and no process grows old.
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
    console.error(`\nfailed; repeat it with: npm run test:deep -- --crashes ${crashes} --seed ${firstSeed}`);
    process.exit(1);
  }
  // As often while it logs as while it takes artifacts and while it trains.
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
    console.error(`\nfailed; repeat it with: npm run test:deep -- --runs ${cases} --seed ${seed}`);
    process.exit(1);
  }
  left -= cases;
}
console.log(`no failure in ${((Date.now() - started) / 60_000).toFixed(1)} minutes, from seed ${firstSeed}`);
