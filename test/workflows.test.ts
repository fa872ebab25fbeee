// The workflows on the forge: an action that is named by a tag can become other code overnight, and a job without a
// list of permissions has those of the repository's settings.

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

// What we tell others to copy is held to the same.
const GATE = "docs/how-to/ci-gate.md";
const gate = readFileSync(fileURLToPath(new URL(`../${GATE}`, import.meta.url)), "utf8");
const [, copied = ""] = /^```yaml\n([\s\S]*?)^```$/m.exec(gate) ?? [];
const workflows = [...ours, [GATE, parse(copied) as Workflow] as const];

describe.each(workflows)("%s", (_file, { permissions, jobs }) => {
  test("gives no permission to all jobs, and each job a list of its own", () => {
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) expect(job.permissions).toBeTypeOf("object");
  });

  test("names actions by a full commit", () => {
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used).not.toEqual([]);
    expect(used.filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
  });

  test("ends a job that hangs", () => {
    for (const job of Object.values(jobs)) expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
  });
});

test("a change is checked as it is at home, by .ci/run", () => {
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
