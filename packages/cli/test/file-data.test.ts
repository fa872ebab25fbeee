// Files in place of a project: commands give the same answers as after an import.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { assay } from "./run-in-process.ts";

const MODELS = ["small", "large"] as const;

/** A table with repeated trials, and a row without an answer. */
function table(delimiter: string): string {
  const records = MODELS.flatMap((model, m) =>
    Array.from({ length: 24 }, (_, i) => {
      const [row, isRight] = [i % 12, (i * 7 + m * 5) % 3 !== 0];
      return [`q${row}`, row % 2 === 0 ? "even" : "odd", model, i === 5 ? "" : `answer ${i}`, isRight, i / 8];
    }),
  );
  const header = ["id", "topic", "model", "answer", "correct", "quality"];
  return [header, ...records].map((cells) => `${cells.join(delimiter)}\n`).join("");
}

/** An Inspect AI log: reasons and errors beside its scores. */
function inspectLog(model: string, shift: number): string {
  return JSON.stringify({
    version: 2,
    status: "success",
    eval: {
      ...{ task: "sums", model, run_id: `run-${model}`, created: `2026-01-0${shift}T03:04:05Z` },
      dataset: { name: "sums" },
    },
    samples: Array.from({ length: 10 }, (_, id) => ({
      ...{ id, epoch: 1, input: `${id} + 1?`, target: String(id + 1), output: { completion: String(id) } },
      scores: { match: { value: (id + shift) % 2 === 0 ? "C" : "I", explanation: `since ${id}` } },
      ...(id === 3 && { error: { message: "out of time" } }),
    })),
  });
}

function folder() {
  const home = mkdtempSync(join(tmpdir(), "assay-file-data-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return {
    home,
    file(name: string, text: string): string {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
      return join(home, name);
    },
  };
}

const FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a table": { "answers.csv": table(",") },
  "a table with semicolons": { "answers.csv": table(";") },
  "two logs": { "before.json": inspectLog("before", 1), "after.json": inspectLog("after", 2) },
};

test.each(Object.entries(FILES))("%s: the same answers as from the imported project", async (_, texts) => {
  const { home, file } = folder();
  const files = Object.entries(texts).map(([name, text]) => file(name, text));
  const data = ["--data", join(home, "data")];
  expect((await assay(["import", "local/files", ...files, ...data])).exitCode).toBe(0);
  const asked: (readonly string[])[] = [
    ["compare"],
    ["compare", "--ranking"],
    ["compare", "--slices", "--format", "markdown"],
    ["query", "--limit", "5"],
    ["query", "--format", "csv"],
    ["query", "--where", "scores.match = true or scores.correct = true"],
  ];
  for (const [command = "", ...options] of asked) {
    const ofProject = await assay([command, "local/files", ...options, ...data]);
    const ofFiles = await assay([command, ...files, ...options]);
    expect([ofFiles.exitCode, ofFiles.stdout], [command, ...options].join(" ")).toEqual([
      ofProject.exitCode,
      ofProject.stdout,
    ]);
  }
  const row = /"row_digest":"(\w{8})/.exec((await assay(["query", ...files])).stdout)![1]!;
  if (files.length === 1)
    expect((await assay(["show", ...files, row, "--format", "table"])).stdout).toBe(
      (await assay(["show", "local/files", row, "--format", "table", ...data])).stdout,
    );
});

/** A table of one evaluation, which is right on all rows from index `wrong` on. */
function answers(wrong: number): string {
  return ["id,correct", ...Array.from({ length: 40 }, (_, id) => `${id},${id >= wrong}`)].join("\n");
}

// Names in and against alphabetical order, contents whose digests sort either way, and files in folders.
const PAIRS = [
  ["prod.csv", "dev.csv"],
  ["a.csv", "b.csv"],
  ["old/r.csv", "new/r.csv"],
  ["new/r.csv", "old/r.csv"],
] as const;

test.each(PAIRS)("%s, %s: the first file is the baseline", async (first, second) => {
  const { file } = folder();
  for (const worse of [10, 20, 30]) {
    const [baseline, candidate] = [file(first, answers(worse)), file(second, answers(1))];
    const gate = ["--fail-on", "regressed", "--format", "table"];
    const better = await assay(["compare", baseline, candidate, ...gate]);
    expect([better.exitCode, better.stdout]).toEqual([0, expect.stringContaining(" is better than ")]);
    // Tables with the same rows have the same dataset, whatever their file names.
    expect(better.stdout).not.toContain("different datasets");
    expect((await assay(["compare", candidate, baseline, ...gate])).exitCode).toBe(1);
  }
});

test("files with the same name are distinguished by their paths, and all are compared with the first", async () => {
  const { file } = folder();
  const files = [1, 10, 20].map((wrong) => file(`${wrong}/r.csv`, answers(wrong)));
  const { stdout } = await assay(["compare", ...files, "--format", "table"]);
  const sentences = stdout.replaceAll(/\s+/g, " ");
  expect(sentences).toContain("10/r.csv is worse than 1/r.csv on correct");
  expect(sentences).toContain("20/r.csv is worse than 1/r.csv on correct");
});

test("a folder is one argument, in every spelling", async () => {
  const { home, file } = folder();
  for (const [name, wrong] of [["runs/a.csv", 10] as const, ["runs/b.csv", 1] as const])
    file(name, answers(wrong));
  const other = file("runs.csv", answers(5));
  for (const named of [`${home}/runs`, `${home}/runs/`, `${home}/./runs`]) {
    const gate = ["--fail-on", "regressed"];
    expect((await assay(["compare", named, ...gate])).stderr).toContain("no times that say which came first");
    // "runs.csv" starts with the folder's name but is outside it. Without times, the folder's evaluations have no
    // order.
    const listed = JSON.parse((await assay(["query", other, named])).stdout);
    expect(listed.summary.evaluations[0]).toMatchObject({ display_name: "runs" });
  }
});

test("a gate needs to know which evaluation came first", async () => {
  const { home, file } = folder();
  const data = ["--data", join(home, "data")];
  const gate = ["--fail-on", "regressed", ...data];
  await assay(["import", "acme/one", file("quiz.csv", table(",")), ...data]);
  expect((await assay(["compare", "acme/one", ...gate])).stderr).not.toContain("--fail-on: ");
  for (const [name, wrong] of [["prod.csv", 10] as const, ["dev.csv", 1] as const])
    await assay(["import", "acme/two", file(name, answers(wrong)), ...data]);
  expect(await assay(["compare", "acme/two", ...gate])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^assay: --fail-on: \w+ and \w+ have no times that say which came first; /),
  });
  expect((await assay(["compare", "acme/two", "prod", "dev", ...gate])).exitCode).toBe(0);
  expect((await assay(["compare", "acme/two", "dev", "prod", ...gate])).exitCode).toBe(1);
});

test("names of evaluations come after the files, and nothing is written", async () => {
  const { home, file } = folder();
  const path = file("answers.csv", table(","));
  const data = join(home, "data");
  const { stdout, stderr } = await assay(["compare", path, "large", "small", "--data", data]);
  expect(JSON.parse(stdout)).toMatchObject({ baseline: expect.stringMatching(/^01/) });
  expect(stderr).toContain("rows by id; an evaluation for each model; answers in answer");
  expect(existsSync(data)).toBe(false);
  expect(readdirSync(home)).toEqual(["answers.csv"]);
});

test("options set how files are read, and apply only to files", async () => {
  const { file, home } = folder();
  const path = file("answers.csv", table(","));
  const reading = [
    "--row-key",
    "id",
    "--score",
    "quality",
    "--pass",
    "quality>=0.5",
    "--as",
    "quality=number",
  ];
  const data = ["--data", join(home, "data")];
  expect((await assay(["import", "local/files", path, ...reading, ...data])).exitCode).toBe(0);
  for (const command of ["compare", "query"])
    expect((await assay([command, path, ...reading])).stdout, command).toBe(
      (await assay([command, "local/files", ...data])).stdout,
    );
  const { exitCode, stderr } = await assay(["compare", "local/files", ...reading, ...data]);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining("--row-key, --score, --pass, --as can only be used with files"),
  ]);
});

test("an unreadable file in place of a project is refused by name", async () => {
  const { file } = folder();
  const path = file("answers.csv", table(","));
  const cases: readonly (readonly [args: readonly string[], code: number, text: string])[] = [
    [["compare", "/nowhere/answers.csv"], 2, "is neither a file nor a project; write ENTITY/PROJECT"],
    [["compare", file("notes.bin", "\0\0")], 2, "no evaluation in "],
    [["query", file("cut.json", inspectLog("cut", 1).slice(0, -40))], 1, "cut.json"],
    [["compare", path, "small", "larg"], 2, 'no evaluation "larg"; did you mean'],
    [["compare", path, file("also-cut.json", inspectLog("cut", 2).slice(0, -40))], 1, "no answer"],
    [
      ["compare", file("one.json", inspectLog("one", 1))],
      2,
      "has only one evaluation, sums: also give the file of another",
    ],
  ];
  for (const [args, code, text] of cases) {
    const { exitCode, stderr } = await assay(args);
    expect([exitCode, stderr], args.join(" ")).toEqual([code, expect.stringContaining(text)]);
  }
});

test("a comparison reports which values it left out, and why", async () => {
  const { file } = folder();
  const rows = ["small", "large"].flatMap((model) =>
    ["C", "B", "F"].map((grade, i) => `${i},Q${i}?,${model},a,${grade},"[1, 2]"\n`),
  );
  const path = file("grades.csv", `id,question,model,answer,grade,score\n${rows.join("")}`);
  const { stdout, stderr } = await assay(["compare", path, "--format", "markdown"]);
  expect(stderr).toContain("note: left out: 6 × list among the scores (score)");
  expect(stdout).toContain("share no measure to compare");
  expect(stdout).toContain("grade: texts have no mean to compare");
  const ruled = await assay(["compare", path, "--format", "markdown", "--pass", "grade==B"]);
  expect(ruled.stdout).toContain("better than small on grade");
});

test("a report that cannot be written is reported with the given file name", async () => {
  const { home, file } = folder();
  const path = file("answers.csv", table(","));
  const output = join(home, "missing", "report.md");
  const { exitCode, stderr } = await assay(["compare", path, "--output", output]);
  expect([exitCode, stderr.trimEnd().split("\n").at(-1)]).toEqual([
    1,
    `assay: ${output}: no such file or directory`,
  ]);
});

test("a path below a file is neither a file nor a project", async () => {
  const path = join(folder().file("answers.csv", table(",")), "demo");
  for (const command of ["compare", "import"]) {
    const { exitCode, stderr } = await assay([command, path, "x"]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("a project; write ENTITY/PROJECT")]);
  }
});

test("missing files are distinguished from folders with names like projects", async () => {
  const { home, file } = folder();
  const a = file("runs/a/answers.csv", "id,answer,correct\n1,x,1\n2,y,0\n");
  file("runs/b/answers.csv", "id,answer,correct\n1,x,1\n2,y,1\n");
  const missing = await assay(["compare", a, join(home, "nothing.csv")]);
  expect([missing.exitCode, missing.stderr]).toEqual([
    2,
    expect.stringContaining('nothing.csv" is not a file'),
  ]);
  const from = process.cwd();
  process.chdir(home);
  onTestFinished(() => process.chdir(from));
  const both = await assay(["compare", "runs/a", "runs/b", "--format", "markdown"]);
  expect([both.exitCode, both.stdout]).toEqual([0, expect.stringContaining("answers.csv")]);
  const alone = await assay(["import", "runs/a"]);
  expect([alone.exitCode, alone.stderr]).toEqual([
    2,
    expect.stringContaining("assay import acme/demo runs/a"),
  ]);
});

test("for a folder without logs, the reasons for its first files are reported", async () => {
  const { home, file } = folder();
  file("logs/answers.csv.bz2", "BZh9");
  for (const name of ["a", "b", "c"]) file(`logs/${name}.txt`, "hello\n");
  const { exitCode, stderr } = await assay(["compare", join(home, "logs")]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/answers\.csv\.bz2: compressed with bzip2; unpack it first/);
  expect(stderr).toMatch(/1 file of unknown format skipped: .*c\.txt$/m);
});
