// The areas of mutation testing: sources that contain decisions, and the tests that must detect mutants. Paths are
// relative to the repository, which must be the working directory.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/**
 * By name: `mutate` are the sources, `tests` run for each mutant, and `runs` is the number of random cases of their
 * property tests (ASSAY_RUNS): as few as still detect mutants, because they run for every mutant.
 */
export const AREAS = {
  "query-lang": {
    mutate: ["packages/query-lang/src/**/*.ts"],
    tests: ["packages/query-lang/test/**/*.test.ts"],
    runs: 400,
  },
  statistics: {
    mutate: ["packages/statistics/src/**/*.ts"],
    tests: ["packages/statistics/test/**/*.test.ts"],
    // Tests use a hundredth of this number.
    runs: 6000,
  },
  plan: {
    mutate: ["packages/eval-engine/src/plan/**/*.ts"],
    tests: ["packages/eval-engine/test/**/*.test.ts"],
    runs: 400,
  },
  jobs: {
    mutate: ["packages/training-core/src/job/**/*.ts", "packages/training-core/src/state/**/*.ts"],
    tests: ["packages/training-core/test/**/*.test.ts"],
    runs: 400,
  },
  normaliser: {
    mutate: ["packages/inference-core/src/normalise*.ts"],
    tests: ["packages/inference-core/test/**/*.test.ts", "packages/adapters-openai/test/**/*.test.ts"],
    runs: 400,
  },
};

/** The number of lines in a block, the unit of selection. */
const BLOCK = 20;

/**
 * The line ranges in part `place` of `of` of an area. The parts are disjoint, and each is spread over the whole area.
 */
export function linesOf(area, place, of) {
  const blocks = AREAS[area].mutate.flatMap(filesOf).flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n").length;
    const starts = Array.from({ length: Math.ceil(lines / BLOCK) }, (_, i) => i * BLOCK + 1);
    return starts.map((start) => `${file}:${start}-${Math.min(lines, start + BLOCK - 1)}`);
  });
  const drawn = (block) => createHash("sha256").update(block).digest("hex");
  const ordered = blocks.map((block) => [drawn(block), block]).sort();
  return ordered.filter((_, i) => i % of === place - 1).map(([, block]) => block);
}

/** The files that match a pattern: `*` matches within a name, `**` any folders. */
function filesOf(pattern) {
  const folder = pattern.slice(0, pattern.lastIndexOf("/", pattern.indexOf("*")));
  const source = pattern
    .split("**/")
    .map((part) => part.split("*").map(escaped).join("[^/]*"))
    .join("(?:.*/)?");
  const names = new RegExp(`^${source}$`);
  return readdirSync(folder, { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((file) => names.test(file));
}

function escaped(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
