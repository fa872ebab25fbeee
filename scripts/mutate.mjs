// npm run mutate -- [area…]: changes the code in small ways, one at a time, and sees whether a test notices (Stryker). Prints
// the share that was noticed and every change that was not; ends with 1 when the share is below 85 % in an area.
//   --share N   only in about N of 100 lines of each area, which a seed chooses (all of them)
//   --seed N    which (random)

import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { AREAS } from "../mutation/areas.mjs";

const WANTED = 85;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "mutation");
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { share: { type: "string" }, seed: { type: "string" } },
});
const seed = values.seed ?? String(randomInt(2 ** 31 - 1));
const part =
  values.share === undefined ? {} : { ASSAY_MUTATED_SHARE: values.share, ASSAY_MUTATED_SEED: seed };
const unknown = asked.filter((area) => !Object.hasOwn(AREAS, area));
if (unknown.length > 0) {
  console.error(`there is no area ${unknown.join(", ")}; there is ${Object.keys(AREAS).join(", ")}`);
  process.exit(2);
}

await import("./setup.mjs");
const installed = join(folder, "node_modules/.pnpm/lock.yaml");
const locked = join(folder, "pnpm-lock.yaml");
if (!existsSync(installed) || readFileSync(installed, "utf8") !== readFileSync(locked, "utf8")) {
  console.error("mutate: installing Stryker (once, 100 MB)");
  const { packageManager } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  run("npx", ["--yes", packageManager, "install", "--frozen-lockfile", "--reporter=append-only"], {
    cwd: folder,
  });
}

for (const area of asked.length > 0 ? asked : Object.keys(AREAS)) {
  const stryker = join(folder, "node_modules/@stryker-mutator/core/bin/stryker.js");
  run(process.execPath, [stryker, "run", "mutation/stryker.config.mjs"], {
    cwd: root,
    env: {
      ...process.env,
      ...part,
      ASSAY_MUTATED: area,
      ASSAY_RUNS: process.env["ASSAY_RUNS"] ?? String(AREAS[area].runs),
    },
  });
  const { files } = JSON.parse(readFileSync(join(root, `build/mutation/${area}.json`), "utf8"));
  const mutants = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.map((mutant) => ({ file, ...mutant })),
  );
  const counted = mutants.filter(
    ({ status }) => !["Ignored", "CompileError", "RuntimeError"].includes(status),
  );
  const left = counted.filter(({ status }) => status === "Survived" || status === "NoCoverage");
  for (const { file, location, mutatorName, replacement, status } of left)
    console.log(
      `${file}:${location.start.line}:${location.start.column} ${status} ${mutatorName}: ${(replacement ?? "").slice(0, 80)}`,
    );
  const share = (100 * (counted.length - left.length)) / counted.length;
  const of = values.share === undefined ? "" : ` of a sample of ${values.share} % (seed ${seed})`;
  console.log(`${area}: ${counted.length} mutants${of}, ${share.toFixed(1)} % noticed`);
  if (share < WANTED) process.exitCode = 1;
}

function run(command, args, options) {
  const { status } = spawnSync(command, args, { stdio: "inherit", ...options });
  if (status !== 0) process.exit(status ?? 1);
}
