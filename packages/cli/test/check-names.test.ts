// The command answers unknown names with the nearest existing ones and exit code 2, never with an empty result.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines, rowLines } from "@assay/testing/calls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assay } from "./run-in-process.ts";

const P = "acme/demo";
const home = mkdtempSync(join(tmpdir(), "assay-missing-"));
const data = join(home, "data");
const run = (args: readonly string[], stdin?: object) =>
  assay([...args, "--data", data], stdin === undefined ? {} : { stdin: JSON.stringify(stdin) });

beforeAll(async () => {
  const lines = [
    ...evaluationLines("first", [true, false]),
    ...evaluationLines("second", [true, true], 1000),
  ];
  const stdin = lines.join("\n");
  expect((await assay(["import", P, "-", "--data", data], { stdin })).exitCode).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true }));

const filter = (field: string, evaluation_call_id: string | null = null) => ({
  filters: [{ evaluation_call_id, query: { $expr: { $eq: [{ $getField: field }, { $literal: 1 }] } } }],
});

describe("unknown names", () => {
  test.each<[readonly string[], string]>([
    [["query", "acme/dmo"], "no evaluations in acme/dmo"],
    [["evaluations", "acme/dmo"], "did you mean acme/demo?"],
    [["export", "acme/dmo"], "did you mean acme/demo?"],
    [["export", "acme/dmo", "--format", "csv"], "did you mean acme/demo?"],
    [["export", P, "--evaluation", "frist"], "did you mean first (run first)?"],
    [["export", P, "--evaluation", "run secnd", "--format", "csv"], "did you mean second (run second)?"],
    [["watch", P, "frist"], "did you mean first (run first)?"],
    [["watch", P, "run frist"], "did you mean first (run first)?"],
    [["query", P, "frist"], "did you mean first (run first)?"],
    [["query", P, "first", "--sort", "Δcorect"], "did you mean match.correct?"],
    [["query", P, "first", "--sort", "closeness of secnd"], '"secnd" is not one of the evaluations'],
    [["watch", P, "x"], "the latest are first (run first), second (run second)"],
  ])("%j is reported with the existing names", async (args, sentence) => {
    const { exitCode, stdout, stderr } = await run(args);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^assay: [^\n]*\n$/);
    expect(stderr).toContain(sentence);
  });

  test.each<[string, object, string]>([
    ["an evaluation", { evaluation_call_ids: ["first", "secnd"] }, "did you mean second (run second)?"],
    ["a run", { evaluation_run_ids: ["secnd"] }, "did you mean second (run second)?"],
    [
      "a sort field",
      {
        evaluation_call_ids: ["first"],
        sort_by: [{ field: "scores.match.corect", direction: "asc" }],
      },
      "no row has a value at scores.match.corect; did you mean scores.match.correct?",
    ],
    [
      "a score without the scorer's name",
      { evaluation_call_ids: ["first"], ...filter("scores.correct") },
      "did you mean scores.match.correct?",
    ],
    [
      "a field of the row",
      { evaluation_call_ids: ["first", "second"], ...filter("inputs.qestion") },
      "did you mean inputs.question?",
    ],
    [
      "a field of the output",
      { evaluation_call_ids: ["first"], ...filter("outputs.text") },
      "no row has a value at outputs.text; available: outputs",
    ],
    [
      "a scope",
      { evaluation_call_ids: ["first"], ...filter("scores.closeness", "second") },
      `"second", which is not one of the query's evaluations: first`,
    ],
    [
      "a sort key's scope",
      {
        evaluation_call_ids: ["first"],
        sort_by: [{ field: "scores.closeness", direction: "asc", evaluation_call_id: "frist" }],
      },
      "did you mean first?",
    ],
  ])("in a query, %s, is reported with the existing names", async (_, body, sentence) => {
    await assay(["import", P, "--rows", "-", "--data", data], { stdin: rowLines(2).join("\n") });
    const refused = await run(["query", P, "-"], body);
    expect([refused.exitCode, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain(sentence);
    const allowed = await run(["query", P, "-", "--allow-missing"], body);
    expect(allowed).toMatchObject({ exitCode: 0, stderr: "", stdout: expect.stringContaining("total_rows") });
  });

  test("are treated as empty if that is allowed", async () => {
    expect(await run(["evaluations", "acme/dmo", "--allow-missing"])).toMatchObject({
      exitCode: 0,
      stdout: "[]\n",
    });
    expect(await run(["export", "acme/dmo", "--allow-missing"])).toMatchObject({ exitCode: 0, stdout: "" });
  });
});

test("existing names are queried as usual: a part of a score, a list, a score that is null somewhere", async () => {
  for (const field of [
    "scores.match",
    "scores.match.correct",
    "inputs",
    "outputs",
    "output.scores.closeness",
  ]) {
    const body = { evaluation_call_ids: ["first", "second"], ...filter(field) };
    expect((await run(["query", P, "-"], body)).exitCode, field).toBe(0);
  }
});
