// The workflows on GitHub: an action that is pinned by a tag can change at any time, and a job without a list of
// permissions gets the repository's defaults.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions?: unknown;
  readonly "timeout-minutes"?: number;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const folder = fileURLToPath(new URL("../.github/workflows/", import.meta.url));
const ours = readdirSync(folder).map(
  (file) => [file, parse(readFileSync(`${folder}${file}`, "utf8")) as Workflow] as const,
);

// Workflows that our documents recommend follow the same rules.
const GATE = "docs/how-to/ci-gate.md";
const gate = readFileSync(fileURLToPath(new URL(`../${GATE}`, import.meta.url)), "utf8");
const [, copied = ""] = /^```yaml\n([\s\S]*?)^```$/m.exec(gate) ?? [];
const workflows = [...ours, [GATE, parse(copied) as Workflow] as const];

describe.each(workflows)("%s", (_file, { permissions, jobs }) => {
  test("grants no permissions globally, and each job a list", () => {
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) expect(job.permissions).toBeTypeOf("object");
  });

  test("pins actions to a full commit", () => {
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used).not.toEqual([]);
    expect(used.filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
  });

  test("has a timeout for each job", () => {
    for (const job of Object.values(jobs)) expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
  });
});

test("changes are checked by .ci/run, which also runs locally", () => {
  const steps = workflows.flatMap(([, { jobs }]) => Object.values(jobs).flatMap((job) => job.steps));
  expect(steps.map(({ run }) => run)).toContain("bash .ci/run");
});

test("all tests run every night and before a release", () => {
  for (const name of ["nightly.yml", "release.yml"]) {
    const { jobs } = ours.find(([file]) => file === name)![1];
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    expect(steps.map(({ run }) => run)).toContain("npm run test:full");
  }
});
