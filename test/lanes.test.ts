// Checks lanes.ts against the test files: each file is in one lane, and the settings for single files are correct.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { LANES, laneOf, lanes, patternsOf, triggeredBy } from "./lanes.ts";

afterEach(() => vi.unstubAllEnvs());

const root = fileURLToPath(new URL("..", import.meta.url));

const all = Object.keys(LANES);

/** All test files, as paths from the root. */
const files = ["packages", "test", "examples", "site"].flatMap(function below(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ["node_modules", "dist", "build"].includes(entry.name) ? [] : below(path);
    return path.endsWith(".test.ts") ? [path] : [];
  });
});

const inLane = (lane: string): string[] => files.filter((file) => laneOf(file) === lane);

test("each test file is in one lane", () => {
  expect(files.filter((file) => laneOf(file) === undefined)).toEqual([]);
  const claimed = lanes.flatMap(([, { files }]) => files);
  expect(claimed.filter((one, i) => claimed.indexOf(one) !== i)).toEqual([]);
});

test.each(lanes)("settings of %s for single files name files of the lane, each once", (name, lane) => {
  const { full = [], fewer = [], long = [] } = lane;
  const single = [...full, ...fewer, ...long];
  expect(single.filter((file) => !inLane(name).includes(file))).toEqual([]);
  expect(single.filter((file, i) => single.indexOf(file) !== i)).toEqual([]);
  expect(lane.files.filter((folder) => !inLane(name).some((file) => file.startsWith(folder)))).toEqual([]);
});

test("files that `npm test` runs partly read their number of cases", () => {
  const asking = (words: RegExp): string[] =>
    files.filter((file) => words.test(readFileSync(join(root, file), "utf8")));
  const counting = asking(/\/testing\/cases"/);
  const tagged = asking(/tags: \["long"\]/).filter((file) => file !== "test/lanes.test.ts");
  const [fewer, long] = [
    lanes.flatMap(([, { full = [], fewer = [] }]) => [...full, ...fewer]),
    lanes.flatMap(([, { full = [], fewer = [], long = [] }]) => [...full, ...fewer, ...long]),
  ];
  expect(counting.filter((file) => !fewer.includes(file))).toEqual([]);
  expect(tagged.filter((file) => !long.includes(file))).toEqual([]);
  const counts = asking(/\/testing\/cases"|\/testing\/property"/);
  expect(lanes.flatMap(([, { fewer = [] }]) => fewer).filter((file) => !counts.includes(file))).toEqual([]);
  expect(lanes.flatMap(([, { long = [] }]) => long).filter((file) => !tagged.includes(file))).toEqual([]);
});

test("a triggered lane runs all its files, others those of `npm test`", () => {
  for (const [name, { full = [] }] of lanes) {
    const brief = patternsOf(name, "brief");
    const whole = patternsOf(name, "test");
    expect(brief).toEqual({ include: whole.include, exclude: [...whole.exclude, ...full] });
    expect(whole).toEqual(patternsOf(name, "full"));
  }
});

test("long tests run only in the projects of triggered lanes", async () => {
  vi.stubEnv("ASSAY_LANES", "cores,faults");
  vi.resetModules();
  const { default: config } = await import("../vitest.config.ts");
  const { projects } = config({ command: "serve", mode: "brief" }).test!;
  const found = projects as readonly {
    test: { name: string; env: object; tagsFilter?: readonly string[] };
  }[];
  expect(found.map(({ test }) => test.name).sort()).toEqual([...all, "cores-interpreted"].sort());
  for (const { test } of found) {
    const isTriggered = ["cores", "cores-interpreted", "faults"].includes(test.name);
    expect([test.name, test.tagsFilter]).toEqual([test.name, isTriggered ? undefined : ["!long"]]);
    expect(test.env).toEqual({ ASSAY_TESTS: isTriggered ? "test" : "brief" });
  }
});

test.each([
  ["packages/base/src/errors/fault.ts", all],
  ["packages/statistics/src/comparisons/noise.ts", all],
  ["packages/adapters-clickhouse/src/calls/rows.ts", ["clickhouse", "command", "built", "documents"]],
  ["packages/web/src/page/parts/grid.tsx", ["cores", "command", "built", "page", "documents"]],
  ["packages/cli/src/program.ts", ["clickhouse", "faults", "limits", "command", "built", "documents"]],
  ["packages/adapters-vitest/src/reporter.ts", ["built"]],
  ["packages/importers/src/plan/scan.ts", ["cores", "command", "built", "page", "documents"]],
  ["packages/eval-engine/test/large.test.ts", ["engine"]],
  ["packages/cli/test/clickhouse.test.ts", ["clickhouse"]],
  ["test/web/open-page.ts", ["page"]],
  ["testing/src/cases.ts", all],
  ["docs/reference/semantics.md", ["documents"]],
  ["packages/cli/README.md", ["documents"]],
  ["packages/cli/etc/cli.api.md", []],
  ["bench/main.ts", []],
  ["pnpm-lock.yaml", all],
  ["package.json", all],
  ["vitest.config.ts", all],
  ["scripts/bundle.mjs", all],
])("a change to %s triggers %j", (path, triggered) => {
  expect([...triggeredBy([path]).keys()].sort()).toEqual([...triggered].sort());
});
