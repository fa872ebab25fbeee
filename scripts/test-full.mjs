// `npm run test:full -- [lane…] [--seed N]`: runs all tests of all lanes, or of the given ones, with random cases from
// a new seed, or from N (or ASSAY_SEED).
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { LANES } from "../test/lanes.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" } },
});
const unknown = asked.filter((lane) => !Object.hasOwn(LANES, lane));
if (unknown.length > 0) {
  console.error(`unknown lane ${unknown.join(", ")}; the lanes are ${Object.keys(LANES).join(", ")}`);
  process.exit(2);
}

const seed = values.seed ?? process.env.ASSAY_SEED ?? String(randomInt(2 ** 31 - 1));
const again = ["npm run test:full --", ...asked, `--seed ${seed}`].join(" ");
console.log(`seed ${seed}; to repeat: ${again}`);
const { status } = spawnSync(
  process.execPath,
  // The star also matches projects that run files of a lane a second time, such as cores-interpreted.
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--mode",
    "full",
    ...asked.map((lane) => `--project=${lane}*`),
  ],
  { cwd: root, stdio: "inherit", env: { ...process.env, ASSAY_SEED: seed } },
);
if (status !== 0) console.error(`\nfailed; to repeat: ${again}`);
process.exit(status ?? 1);
