// npm run mutate -- [area…]: mutation testing with Stryker. Prints the share of detected mutants and every mutant that
// survived; exits with 1 if the share is below 85% in an area.
//   --part K/N   only part K of N of each area; the parts are disjoint and together cover the area. With it, the share is
// only printed.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { AREAS } from "../mutation/areas.mjs";

const REQUIRED = 85;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "mutation");
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { part: { type: "string" } },
});
const [, place, of] = /^(\d+)\/(\d+)$/.exec(values.part ?? "1/1") ?? [];
if (!(Number(place) >= 1 && Number(place) <= Number(of))) {
  console.error(`--part must be K/N, such as 1/10, not ${values.part}`);
  process.exit(2);
}
const unknown = asked.filter((area) => !Object.hasOwn(AREAS, area));
if (unknown.length > 0) {
  console.error(`unknown area ${unknown.join(", ")}; the areas are ${Object.keys(AREAS).join(", ")}`);
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
      ASSAY_MUTATED: area,
      ASSAY_MUTATED_PART: `${place}/${of}`,
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
  const detected = counted.length - left.length;
  const share = counted.length === 0 ? 100 : (100 * detected) / counted.length;
  console.log(`${area}: ${detected} of ${counted.length} mutants detected, ${share.toFixed(1)}%`);
  // The share of a part says too little about the area.
  if (share < REQUIRED && of === "1") process.exitCode = 1;
}

function run(command, args, options) {
  const { status } = spawnSync(command, args, { stdio: "inherit", ...options });
  if (status !== 0) process.exit(status ?? 1);
}
