// What is mutated: code that decides, and the tests that must notice. Paths are the repository's, which is the folder that
// whoever reads this works in.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/**
 * By name; `mutate` are sources, `tests` what runs for each mutant, and `runs` how many cases its property tests try then, as
 * ASSAY_RUNS has it: as few as still notice, since each mutant pays for them.
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
    // One in a hundred of these.
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

/** Lines that are taken, or left, together. */
const BLOCK = 20;

/** The lines of the files of an area that are its part number `place` of `of`: from all over it, each line in one part. */
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

/** The files that a pattern names: `*` is a part of a name, and a folder of two any folders. */
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
