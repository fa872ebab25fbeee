// `npm run test:quick`: the tests that say within a minute and a half whether a change broke something: all of the cores,
// with fewer random cases. What starts servers, databases and commands is left to `npm test`. Options go on to vitest.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cores = readdirSync(join(root, "packages")).filter(
  (name) => name !== "cli" && !name.startsWith("adapters-"),
);
const { status } = spawnSync(
  process.execPath,
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--project=!interpreted",
    ...cores.map((name) => `packages/${name}/`),
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: "inherit", env: { ...process.env, ASSAY_RUNS: process.env.ASSAY_RUNS ?? "200" } },
);
process.exit(status ?? 1);
