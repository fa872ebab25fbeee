// Queries as people type them: names, conditions and sort keys, and the messages for invalid ones.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assay } from "./run-in-process.ts";

const P = "me/arith";
const home = mkdtempSync(join(tmpdir(), "assay-words-"));
const data = join(home, "data");
const run = (...args: readonly string[]) => assay([...args, "--data", data]);

const TABLE = `question,category,model,answer,correct,quality
What is 1 + 1?,math,gpt-a,2,yes,0.9
What is 2 + 2?,math,gpt-a,5,no,0.2
Who wrote Emma?,books,gpt-a,Austen,yes,0.8
What is 1 + 1?,math,gpt-b,2,yes,0.7
What is 2 + 2?,math,gpt-b,4,yes,0.45
Who wrote Emma?,books,gpt-b,Brontë,no,0.1
`;

beforeAll(async () => {
  writeFileSync(join(home, "answers.csv"), TABLE);
  expect((await run("import", P, join(home, "answers.csv"))).exitCode).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true }));

/** The questions of the answer's rows, in order. */
async function questions(...args: readonly string[]): Promise<readonly string[]> {
  const { exitCode, stdout, stderr } = await run("query", P, ...args);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return (JSON.parse(stdout) as { rows: { raw_data_row: { question: string } }[] }).rows.map(
    ({ raw_data_row }) => raw_data_row.question,
  );
}

describe("a query in words", () => {
  test.each<[readonly string[], readonly string[]]>([
    [["gpt-a", "gpt-b", "--where", 'inputs.category = "math" and scores.quality < 0.5'], ["What is 2 + 2?"]],
    [
      ["gpt-a", "--sort", "quality"],
      ["What is 2 + 2?", "Who wrote Emma?", "What is 1 + 1?"],
    ],
    [
      ["gpt-a", "gpt-b", "--sort", "Δquality"],
      ["Who wrote Emma?", "What is 2 + 2?", "What is 1 + 1?"],
    ],
    [["gpt-a", "gpt-b", "--sort", "diff(quality)", "--limit", "1"], ["Who wrote Emma?"]],
    [["gpt-a", "gpt-b", "--sort", "quality of gpt-b desc", "--offset", "2"], ["Who wrote Emma?"]],
    [
      ["gpt-a", "gpt-b", "--where", "gpt-a: scores.correct", "--where", "gpt-b: not scores.correct"],
      ["Who wrote Emma?"],
    ],
    [["--where", "outputs icontains 'BRON'"], ["Who wrote Emma?"]],
    [["--where", '{"$eq": [{"$getField": "inputs.category"}, {"$literal": "books"}]}'], ["Who wrote Emma?"]],
  ])("%j", async (args, expected) => expect(await questions(...args)).toEqual(expected));

  test("by default puts the largest differences first, and among these regressions", async () => {
    expect((await questions("gpt-a", "gpt-b"))[0]).toBe("Who wrote Emma?");
  });

  test("--explain shows the query as JSON, and running that has the same answer", async () => {
    const words = ["gpt-a", "gpt-b", "--where", "gpt-a: scores.correct != true", "--sort", "Δcorrect"];
    const { stdout } = await run("query", P, ...words, "--explain");
    const body = JSON.parse(stdout);
    expect(body).toMatchObject({
      filters: [
        {
          evaluation_call_id: body.evaluation_call_ids[0],
          query: { $expr: { $not: [{ $eq: [{ $getField: "scores.correct" }, { $literal: true }] }] } },
        },
      ],
      sort_by: [{ field: "scores.correct", direction: "desc", mode: "difference" }],
      limit: 20,
    });
    const asked = await assay(["query", P, "-", "--data", data], { stdin: stdout });
    expect(asked.stdout).toBe((await run("query", P, ...words)).stdout);
  });

  test("on a terminal repeats its conditions", async () => {
    const { stdout } = await run(
      "query",
      P,
      "gpt-a",
      "--format",
      "table",
      "--where",
      "gpt-a: scores.quality<0.5",
    );
    expect(stdout).toContain("\nWhere gpt-a: scores.quality < 0.5\n");
  });

  test.each<[readonly string[], string]>([
    [
      ["--where", "inputs.categry = 'math'"],
      "no row has a value at inputs.categry; did you mean inputs.category?\n  inputs.categry = 'math'\n  ^\n",
    ],
    [
      ["--where", "scores.quality < 0.5 and category = 'math'"],
      `did you mean inputs.category?\n  scores.quality < 0.5 and category = 'math'\n${" ".repeat(27)}^\n`,
    ],
    [["--where", "scores.quality <"], `--where: expected a field, a number`],
    [["--where", "gpt-a: scores.quality <"], `\n  scores.quality <\n${" ".repeat(18)}^\n`],
    [["--sort", "Δ"], "--sort: expected a field to sort by, as in Δcorrect or inputs.level\n  Δ\n   ^\n"],
    [["--sort", "total_tokens"], '--sort: no measure named "total_tokens"; available: correct, quality\n'],
    [["--limit", "many"], '"many" is not a whole number; --limit takes a whole number like 20'],
  ])("%j is refused, with the position of the error", async (args, message) => {
    const { exitCode, stdout, stderr } = await run("query", P, "gpt-a", ...args);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  test("ambiguous names, or a body together with words, are refused", async () => {
    const body = join(home, "body.json");
    writeFileSync(body, "{}");
    expect(await run("query", P, body, "--limit", "3")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("is already a query"),
    });
    expect((await run("query", P, "gpt-a", "gpt-a")).stderr).toContain('"gpt-a" is named twice');
  });
});

test("compare accepts the same conditions, and points at an error in one", async () => {
  const where = 'inputs.category = "math"';
  const words = await run("compare", P, "gpt-a", "gpt-b", "--where", where);
  const json = '{"$eq": [{"$getField": "inputs.category"}, {"$literal": "math"}]}';
  expect(words.exitCode).toBe(0);
  expect(words.stdout).toBe((await run("compare", P, "gpt-a", "gpt-b", "--where", json)).stdout);
  const wrong = await run("compare", P, "gpt-a", "gpt-b", "--where", "category = 1");
  expect([wrong.exitCode, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("did you mean inputs.category?\n  category = 1\n  ^\n"),
  ]);
});

test("an error in a row's condition does not mention --where", async () => {
  const { exitCode, stderr } = await run("show", P, "inputs.id = ");
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("assay: the row: expected")]);
});

test("export and watch accept names too", async () => {
  const { stdout } = await run("export", P, "--evaluation", "gpt-b");
  expect(stdout).toContain("Brontë");
  expect(stdout).not.toContain("Austen");
  const watched = await run("watch", P, "gpt-b");
  expect(JSON.parse(watched.stdout)).toMatchObject([{ display_name: "gpt-b", trial_count: 3 }]);
});

test("evaluations without a common row are reported, by query and by compare", async () => {
  const other = join(home, "other.csv");
  writeFileSync(
    other,
    "question,model,answer,correct\nWhat is 3 + 3?,gpt-c,6,yes\nWhat is 4 + 4?,gpt-c,8,no\n",
  );
  await run("import", P, other);
  const query = await run("query", P, "gpt-a", "gpt-c");
  expect([query.exitCode, query.stderr]).toEqual([
    0,
    "assay: note: gpt-c shares no rows with gpt-a; match rows of different runs with assay import --row-key FIELD\n",
  ]);
  expect((await run("compare", P, "gpt-a", "gpt-c", "--format", "table")).stdout).toMatch(/not paired/);
});

test("a query without evaluations reports whether it leaves some out", async () => {
  const file = join(home, "many.csv");
  const lines = ["a", "b", "c"].map((model) => `What is 1 + 1?,many-${model},2,yes`);
  const question = () => run("query", "me/many", "--format", "csv");
  writeFileSync(file, ["question,model,answer,correct", ...lines, ""].join("\n"));
  await run("import", "me/many", file);
  expect([(await question()).stderr, (await question()).stdout.split("\n").length]).toEqual(["", 5]);
  writeFileSync(file, ["question,model,answer,correct", "What is 1 + 1?,many-d,2,yes", ""].join("\n"));
  await run("import", "me/many", file);
  const some = await question();
  expect([some.exitCode, some.stderr, some.stdout.split("\n").length]).toEqual([
    0,
    "assay: note: only the latest 3 evaluations of me/many are shown: name others to see them\n",
    5,
  ]);
  expect((await run("query", "me/many", "many-a", "many-d", "--format", "csv")).stderr).toBe("");
});
