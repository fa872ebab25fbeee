// Every option of `assay import` in the built command: its output, its exit code, and the resulting data.

import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { assay } from "@assay/testing/command";
import { COMMAND } from "@assay/testing/spawn.mjs";
import { expect, onTestFinished, test } from "vitest";

const TABLE = `id,question,run,said,correct,quality
1,Capital of France?,small,Paris,true,0.9
2,Capital of Peru?,small,Quito,false,0.2
1,Capital of France?,large,Paris,true,1
2,Capital of Peru?,large,Lima,true,
`;

/** A temporary folder with its own data directory, and functions that run commands in it. */
function folder() {
  const home = mkdtempSync(join(tmpdir(), "assay-import-options-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return {
    data: join(home, "data"),
    importing: (...args: readonly string[]) => assay(["import", "me/demo", ...args], { cwd: home }),
    run: (...args: readonly string[]) => assay(args, { cwd: home }),
    file: (name: string, text: string): string => {
      writeFileSync(join(home, name), text);
      return name;
    },
    made: () => existsSync(join(home, ".assay")),
    evaluations: async (project = "me/demo") =>
      JSON.parse((await assay(["evaluations", project, "--allow-missing"], { cwd: home })).stdout) as {
        readonly name: string;
        readonly trials: number;
        readonly rows: number;
      }[],
  };
}

const TAKEN = [
  ...["--evaluation", "run", "--row-key", "id", "--output", "said"],
  ...["--score", "correct,quality"],
];

test("--score given twice names the scores of both", async () => {
  const { importing, file } = folder();
  const table = file("answers.csv", TABLE);
  const twice = await importing(table, ...TAKEN.slice(0, 4), "--score", "correct", "--score", "quality");
  expect(twice).toMatchObject({ exitCode: 0 });
  expect(twice.stdout + twice.stderr).toContain("scores in correct, quality");
});

test("--evaluation, --row-key, --output, --score and --pass define a table's columns, and the report repeats them", async () => {
  const { importing, file, run, evaluations } = folder();
  const table = file("answers.csv", TABLE);
  const { exitCode, stdout, stderr } = await importing(table, ...TAKEN, "--pass", "quality>=0.5");
  expect([exitCode, stderr]).toEqual([0, ""]);
  const lines = stdout.replace(/ trials \(\S+\)/g, " trials (id)").split("\n");
  expect(lines.slice(0, 9)).toEqual([
    "small: 2 rows, 2 trials (id)",
    "  correct       true in 50.0% of 2 trials, passes when true",
    "  quality       mean 0.5500 of 2 trials, passes when quality >= 0.5",
    "  quality_pass  true in 50.0% of 2 trials, passes when true",
    "large: 2 rows, 2 trials (id)",
    "  correct       true in 100.0% of 2 trials, passes when true",
    "  quality       mean 1 of 1 trial, passes when quality >= 0.5",
    "  quality_pass  true in 100.0% of 1 trial, passes when true",
    "  left out: 1 × score without a value (quality)",
  ]);
  expect(stdout).toContain("an evaluation for each run; answers in said; scores in correct, quality");
  expect(stdout).toMatch(
    /imported 2 evaluations with 4 trials into me\/demo .*\nnext: assay compare me\/demo small large\n$/,
  );
  const asked = await run("query", "me/demo", "small", "large", "--where", "scores.quality_pass = false");
  expect(JSON.parse(asked.stdout)).toMatchObject({ total_rows: 1 });
  expect((await evaluations()).map(({ trials }) => trials)).toEqual([2, 2]);
});

test("--dry-run prints the same report and stores nothing", async () => {
  const { importing, file, made } = folder();
  const table = file("answers.csv", TABLE);
  const dry = await importing(table, ...TAKEN, "--dry-run");
  expect([dry.exitCode, made()]).toEqual([0, false]);
  const wet = await importing(table, ...TAKEN);
  const before = "would import 2 evaluations with 4 trials into me/demo\n";
  expect(dry.stdout.endsWith(before)).toBe(true);
  expect(wet.stdout.startsWith(dry.stdout.slice(0, -before.length))).toBe(true);
});

test("--from sets the format of an ambiguous file", async () => {
  const { importing, file } = folder();
  // A table with only questions and answers may be a dataset.
  const table = file("odd.csv", "question,answer\na,b\n");
  const unknown = await importing(table);
  expect(unknown.exitCode).toBe(2);
  expect(unknown.stderr).toMatch(
    /a table with columns question, answer: .* nothing scores them; --from table/,
  );
  expect((await importing(table, "--from", "table")).stdout).toContain("imported 1 evaluation with 1 trial");
  const wrong = await importing(table, "--from", "exel");
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("Allowed choices are")]);
});

test("a repeated import changes nothing, and --replace replaces changed content and reports it", async () => {
  const { importing, file, evaluations } = folder();
  const table = file("answers.csv", TABLE);
  await importing(table, ...TAKEN);
  expect((await importing(table, ...TAKEN)).stdout).toContain("; 0 new or changed\n");
  const other = file("corrected.csv", TABLE.replace("Quito,false,0.2", "Lima,true,0.8"));
  const replaced = await importing(other, ...TAKEN, "--replace");
  expect(replaced.exitCode).toBe(0);
  // A table's name is its dataset's name: another name makes another run.
  expect((await evaluations()).map(({ name }) => name).sort()).toEqual(["large", "large", "small", "small"]);
  file("answers.csv", TABLE.replace("Quito,false,0.2", "Lima,true,0.8"));
  const again = await importing(table, ...TAKEN, "--replace");
  expect(again.stderr).toMatch(/an earlier import of small \(\S+\) was replaced/);
  expect((await evaluations()).map(({ name }) => name).sort()).toEqual(["large", "large", "small", "small"]);
});

test("--project-per-dataset puts each dataset into its own project", async () => {
  const { importing, file, evaluations } = folder();
  const files = ["capitals", "rivers"].map((name) => file(`${name}.csv`, TABLE));
  const { stdout } = await importing(...files, ...TAKEN, "--project-per-dataset");
  expect(stdout).toContain("next: assay compare me/capitals small large");
  for (const project of ["me/capitals", "me/rivers"]) expect(await evaluations(project)).toHaveLength(2);
  expect(await evaluations()).toEqual([]);
});

test("unknown columns and scores are reported with the nearest names, before anything is stored", async () => {
  const { importing, file, made } = folder();
  const table = file("answers.csv", TABLE);
  for (const [flags, message] of [
    [["--evaluation", "runs"], "no column runs; it has id, question, run"],
    [["--row-key", "key"], "no column key"],
    [["--output", "answer"], "no column answer"],
    [[...TAKEN, "--pass", "qualty>=0.5"], "did you mean quality?"],
    [[...TAKEN, "--pass", "quality is good"], "not a pass rule"],
  ] as const) {
    const { exitCode, stderr } = await importing(table, ...flags);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
  expect(made()).toBe(false);
});

test.each([
  ["a log without samples", "log.json", '{"version":2,"status":"success","eval":{"task":"t"},"samples":[]}'],
  ["only aggregates", "results.json", '{"results":{"t":{}},"configs":{},"versions":{},"n-shot":{}}'],
  ["a run without its items", "run.json", '{"id":"r","eval_id":"e","data_source":{},"result_counts":{}}'],
])("%s ends with 2 and an error message", async (_, name, text) => {
  const { importing, file, made } = folder();
  const { exitCode, stderr } = await importing(file(name, text));
  expect([exitCode, made()]).toEqual([2, false]);
  expect(stderr).toContain("assay: the files contain no evaluation");
});

test("process substitution of a shell is read like a file, and a second time recognised as the same", async () => {
  const { file, data } = folder();
  const piped = (name: string) =>
    new Promise<string>((resolve, reject) => {
      const shell = `"$0" "$1" import me/demo <(cat ${name}) --data "$2"`;
      const args = ["-c", shell, process.execPath, COMMAND, data];
      execFile("bash", args, { cwd: dirname(data) }, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      );
    });
  const table = file("answers.csv", TABLE);
  expect(await piped(table)).toContain("imported 2 evaluations with 4 trials");
  expect(await piped(table)).toContain("; 0 new or changed");
  const calls = file("calls.jsonl", evaluationLines("run", [true]).join("\n"));
  expect(await piped(calls)).toContain("imported 2 calls");
});

test("a SQLite database is refused with the export command to use", async () => {
  const { importing, file, made } = folder();
  const { exitCode, stderr } = await importing(file("cache.sqlite", "SQLite format 3\0"));
  expect([exitCode, made()]).toEqual([2, false]);
  expect(stderr).toMatch(/evalite run --outputPath results\.json, promptfoo export eval/);
  // Next to other files it is only reported, even with a wrong --from.
  const named = await importing("cache.sqlite", "--from", "mlflow");
  expect([named.exitCode, named.stderr]).toEqual([2, expect.stringContaining("cache.sqlite: a SQLite")]);
  file("answers.csv", TABLE);
  const beside = await importing(".");
  expect([beside.exitCode, beside.stderr]).toEqual([0, expect.stringContaining("cache.sqlite: a SQLite")]);
  // Hidden folders, such as the data directory itself, are skipped.
  const again = await importing(".");
  expect([again.exitCode, again.stderr]).toEqual([0, beside.stderr]);
  expect(again.stdout).toContain("; 0 new or changed");
});
