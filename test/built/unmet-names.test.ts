// A query with a field that no row has, or with a comparison that never holds, matches no row. All interfaces warn with
// the nearest name: HTTP, the libraries, the page's own queries and the command.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assayClient } from "@assay/client";
import { evaluation, loadEvaluations } from "@assay/eval-engine";
import { assay } from "@assay/testing/command";
import { startAssay } from "@assay/testing/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const home = mkdtempSync(join(tmpdir(), "assay-unmet-"));
const data = join(home, "data");
const path = { entity: "acme", project: "demo" };
let ask: ReturnType<typeof assayClient>["ask"];
let stop: () => Promise<void>;
let ids: readonly string[];

const TRIALS = [
  { question: "1+1?", level: "easy", is_correct: true, quality: 0.9 },
  { question: "2+2?", level: "hard", is_correct: false, quality: 0.1 },
];

beforeAll(async () => {
  const lines = ["gpt-a", "gpt-b"].flatMap((model) =>
    TRIALS.map((trial) =>
      [model, trial.question, trial.level, "4", String(trial.is_correct), String(trial.quality)].join(","),
    ),
  );
  const file = join(home, "results.csv");
  writeFileSync(file, ["model,question,level,output,is_correct,quality", ...lines, ""].join("\n"));
  expect(await assay(["import", "acme/demo", file, "--data", data])).toMatchObject({ exitCode: 0 });
  const server = await startAssay(data);
  stop = server.stop;
  ({ ask } = assayClient({ url: server.url }));
  const listed = await ask("GET /v2/{entity}/{project}/eval_results/evaluations", { path });
  ids = listed.evaluations.map(({ id }) => id);
});
afterAll(async () => {
  await stop();
  rmSync(home, { recursive: true, force: true });
});

const field = (name: string) => ({ $getField: name });
const literal = (value: string | number | boolean) => ({ $literal: value });

/** Conditions with their warnings; the last ones are valid and have none. */
const CONDITIONS: readonly (readonly [where: string, $expr: object, said: readonly string[]])[] = [
  [
    "scores.is_corect = true",
    { $eq: [field("scores.is_corect"), literal(true)] },
    ["no row has a value at scores.is_corect; did you mean scores.is_correct?"],
  ],
  [
    'scores.is_correct = "yes"',
    { $eq: [field("scores.is_correct"), literal("yes")] },
    ['scores.is_correct is always true or false, so it never equals "yes"; write true or false'],
  ],
  [
    'scores.quality = "high"',
    { $eq: [field("scores.quality"), literal("high")] },
    ['scores.quality is always a number, so it never equals "high"'],
  ],
  [
    "inputs.level > 3",
    { $gt: [field("inputs.level"), literal(3)] },
    ["inputs.level is never a number, but is compared with 3"],
  ],
  [
    "inputs.level = true",
    { $eq: [field("inputs.level"), literal(true)] },
    ["inputs.level is never true or false, so it never equals true"],
  ],
  [
    'scores.quality > 0.5 or scores.is_correct in ("yes", "no")',
    {
      $or: [
        { $gt: [field("scores.quality"), literal(0.5)] },
        { $in: [field("scores.is_correct"), [literal("yes"), literal("no")]] },
      ],
    },
    ['scores.is_correct is always true or false, so it never equals "yes" or "no"; write true or false'],
  ],
  [
    "not scores.is_corect = true",
    { $not: [{ $eq: [field("scores.is_corect"), literal(true)] }] },
    ["no row has a value at scores.is_corect; did you mean scores.is_correct?"],
  ],
  [
    '["quality"] > 0.5',
    { $gt: [{ $literal: ["quality"] }, literal(0.5)] },
    ['["quality"] > 0.5 reads no field, so it is the same for all rows; did you mean scores.quality?'],
  ],
  [
    'scores.quality > 0.5 or "level" contains "e"',
    {
      $or: [
        { $gt: [field("scores.quality"), literal(0.5)] },
        { $contains: { input: literal("level"), substr: literal("e") } },
      ],
    },
    ['"level" contains "e" reads no field, so it is the same for all rows; did you mean inputs.level?'],
  ],
  ["1 = 2", { $eq: [literal(1), literal(2)] }, []],
  ["scores.quality > 2", { $gt: [field("scores.quality"), literal(2)] }, []],
  ['scores.is_correct = "true"', { $eq: [field("scores.is_correct"), literal("true")] }, []],
  ['inputs.level = "none"', { $eq: [field("inputs.level"), literal("none")] }, []],
];

describe.each(CONDITIONS)("%s", (where, $expr, said) => {
  const body = () => ({ evaluation_call_ids: ids, filters: [{ query: { $expr } }] }) as never as object;

  test("is reported over HTTP for every question", async () => {
    const asked = async (question: "query" | "page" | "groups", body: object) =>
      (await ask(`POST /v2/{entity}/{project}/eval_results/${question}`, { path, body: body as never }))
        .warnings;
    expect(await asked("query", body())).toEqual(said);
    expect(await asked("page", { query: body() })).toEqual(said);
    expect(await asked("groups", { query: body(), by: { field: "inputs.question" } })).toEqual(said);
    const pair = { query: body(), baseline: ids[0]!, candidate: ids[1]! };
    for (const [question, more] of [
      ["compare", { query: body(), baseline: ids[0]! }],
      ["slices", { ...pair, measure: "scores.quality" }],
      ["ranking", { query: body(), measure: "scores.quality" }],
    ] as const) {
      const { warnings } = await ask(`POST /v2/{entity}/{project}/eval_results/${question}`, {
        path,
        body: more as never,
      });
      const about = warnings.filter(({ code }) => code === "unknown_field" || code === "unmet_type");
      expect(about.map(({ text }) => text)).toEqual(said);
    }
  });

  test("is reported by the engine as a library", async () => {
    const log = evaluation({ name: "gpt-a" });
    for (const { question, level, is_correct, quality } of TRIALS)
      log.trial({ row: { question, level }, output: "4", scores: { is_correct, quality } });
    const loaded = loadEvaluations(log);
    const asked = { evaluation_call_ids: ["gpt-a"], filters: [{ query: { $expr } }] };
    expect((await loaded.engine.query(loaded.project, asked as never)).warnings).toEqual(said);
  });

  test("is reported by the command", async () => {
    const command = (format: string) =>
      assay(["query", "acme/demo", "--where", where, "--format", format, "--data", data]);
    for (const format of ["table", "json", "csv"]) {
      const { stdout, stderr, exitCode } = await command(format);
      const isMissing = said.some((one) => one.startsWith("no row has"));
      expect(exitCode).toBe(isMissing ? 2 : 0);
      for (const one of said)
        expect(stdout + stderr).toContain(
          format === "json" && !isMissing ? JSON.stringify(one).slice(1, -1) : one,
        );
      if (said.length === 0) expect(stdout + stderr).not.toMatch(/no row has a value|never/);
    }
  });
});

test("a misspelt measure or sort key is reported with the nearest name", async () => {
  const query = { evaluation_call_ids: ids };
  const sorted = await ask("POST /v2/{entity}/{project}/eval_results/query", {
    path,
    body: { ...query, sort_by: [{ field: "scores.qualty", direction: "desc" }] },
  });
  const said = "no row has a value at scores.qualty; did you mean scores.quality?";
  expect([sorted.total_rows, sorted.warnings]).toEqual([2, [said]]);
  const compared = ask("POST /v2/{entity}/{project}/eval_results/compare", {
    path,
    body: { query, baseline: ids[0]!, measures: ["scores.qualty"] },
  });
  await expect(compared).rejects.toThrow(/scores\.qualty; did you mean scores\.quality\?/);
  const clustered = await ask("POST /v2/{entity}/{project}/eval_results/compare", {
    path,
    body: { query, baseline: ids[0]!, cluster_by: "inputs.lvel" },
  });
  expect(clustered.warnings.map(({ text }) => text)).toContain(
    "no row has a value at inputs.lvel; did you mean inputs.level?",
  );
});
