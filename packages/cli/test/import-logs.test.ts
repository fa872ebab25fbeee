// The command's import of logs and tables: its output, the data it writes, and the data it leaves unchanged.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { expect, onTestFinished, test } from "vitest";
import { assay } from "./run-in-process.ts";

const TABLE = `id,question,model,answer,correct,quality
q1,Capital of France?,small,Paris,true,0.9
q2,Capital of Peru?,small,Quito,false,0.2
q1,Capital of France?,large,Paris,true,1
q2,Capital of Peru?,large,Lima,true,0.4
`;
const SAMPLE = { input: "Capital of France?", target: "Paris", output: { completion: "Paris" } };

/** An Inspect AI log with one sample per grade. */
function inspectLog(model: string, grades: readonly string[]): string {
  return JSON.stringify({
    version: 2,
    status: "success",
    eval: {
      task: "capitals",
      model,
      run_id: `run-${model}`,
      created: "2026-01-02T03:04:05Z",
      dataset: { name: "caps" },
    },
    samples: grades.map((value, id) => ({ id, epoch: 1, ...SAMPLE, scores: { match: { value } } })),
  });
}

function folder() {
  const home = mkdtempSync(join(tmpdir(), "assay-import-logs-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const data = join(home, "data");
  const path = (name: string, text: string): string => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
    return join(home, name);
  };
  const importing = (...args: readonly string[]) => assay(["import", "me/demo", ...args, "--data", data]);
  const listed = async (): Promise<{ id: string; name: string; trials: number }[]> =>
    existsSync(data)
      ? JSON.parse((await assay(["evaluations", "me/demo", "--data", data, "--allow-missing"])).stdout)
      : [];
  return { home, data, path, importing, listed };
}

test("importing a table prints how it was understood, and the next command", async () => {
  const { path, importing, data } = folder();
  const { exitCode, stdout, stderr } = await importing(path("answers.csv", TABLE));
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^small: 2 rows, 2 trials \(\S+\)\n {2}correct {2}true in 50\.0% of 2 trials, passes when true\n/,
  );
  expect(stdout).toContain('no pass threshold set: --pass "quality>=0.5"');
  expect(stdout).toContain(
    "rows by id, question; an evaluation for each model; answers in answer; scores in correct, quality",
  );
  expect(stdout).toMatch(
    /imported 2 evaluations with 4 trials into me\/demo .*\nnext: assay compare me\/demo small large --data /,
  );
  expect((await importing(path("again.csv", TABLE))).stdout).toContain("imported 2 evaluations");
  expect((await assay(["query", "me/demo", "--data", data])).exitCode).toBe(0);
});

test("the same file again restores trials that were deleted", async () => {
  const { path, importing, data, listed } = folder();
  const file = path("answers.csv", TABLE);
  await importing(file);
  const exported = async () => (await assay(["export", "me/demo", "--data", data])).stdout;
  const before = await exported();
  const [trial] = before.split("\n").filter((line) => line.includes("predict_and_score"));
  const deleted = { ...JSON.parse(trial!), deleted_at: "2026-01-02T00:00:00Z" };
  expect((await importing(path("deleted.jsonl", JSON.stringify(deleted)))).stdout).toContain("; 1 new");
  expect((await listed()).map(({ trials }) => trials).toSorted()).toEqual([1, 2]);
  expect((await importing(file)).stdout).toContain("; 1 new or changed");
  expect(await exported()).toBe(before);
});

test("the same file again changes nothing", async () => {
  const { path, importing, listed } = folder();
  const file = path("answers.csv", TABLE);
  await importing(file);
  const before = await listed();
  expect((await importing(file)).stdout).toMatch(/; 0 new or changed\n/);
  expect(await listed()).toEqual(before);
  expect(before.map(({ name, trials }) => [name, trials])).toEqual([
    ["small", 2],
    ["large", 2],
  ]);
});

test.for(["at once", "after the doctor"])(
  "the same file again repairs a damaged record, %s",
  async (when) => {
    const { path, importing, data } = folder();
    const file = path("answers.csv", TABLE);
    await importing(file);
    const [calls, doctor] = [join(data, "calls.jsonl"), ["doctor", "--data", data]];
    const bytes = readFileSync(calls);
    bytes[bytes.indexOf("predict_and_score")]! ^= 1;
    writeFileSync(calls, bytes);
    if (when === "after the doctor") expect((await assay(doctor)).exitCode).toBe(1);
    const { exitCode, stdout } = await importing(file);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("; 1 new or changed")]);
    expect((await assay(doctor)).exitCode).toBe(0);
  },
);

/** Two models with enough answers each for an import to save their columns. */
const LARGE = ["id,question,model,answer,correct,quality,latency_ms,tokens,error"]
  .concat(
    Array.from({ length: 2400 }, (_, i) => {
      const [row, model] = [i >> 1, i % 2 === 0 ? "small" : "large"];
      const trial = [`q${row % 1150}`, `"Größe ""${row % 1150}""?"`, model, `"a\n${i}"`, i % 3 === 0];
      return [...trial, i % 7 === 0 ? "" : i / 1000, i % 5, i * 3, i % 50 === 0 ? "timeout" : ""].join(",");
    }),
  )
  .join("\n");

test("the columns of a large evaluation are saved with it, equal to those built from its calls", {
  tags: ["long"],
}, async () => {
  const { path, importing, data } = folder();
  const file = path("large.csv", LARGE);
  const saved = () =>
    readdirSync(join(data, "segments"))
      .sort()
      .map((name) => [name, readFileSync(join(data, "segments", name)).toString("latin1")]);
  await importing(file, "--pass", "quality>=0.5");
  const atImport = saved();
  // One per evaluation, and one for the rows of both.
  expect(atImport).toHaveLength(3);
  const listed = async () => (await assay(["evaluations", "me/demo", "--data", data])).stdout;
  const counted = await listed();
  rmSync(join(data, "segments"), { recursive: true });
  expect((await assay(["compare", "me/demo", "small", "large", "--data", data])).exitCode).toBe(0);
  expect(saved()).toEqual(atImport);
  // A change causes a recount.
  const root = JSON.parse(counted)[0] as { readonly id: string };
  const other = { id: "other", parent_id: root.id, op_name: "Evaluation.predict_and_score", inputs: {} };
  await importing(path("other.jsonl", `${JSON.stringify(other)}\n`));
  await importing(
    path("gone.jsonl", `${JSON.stringify({ ...other, deleted_at: "2026-01-02T03:04:05Z" })}\n`),
  );
  expect(await listed()).toEqual(counted);
});

test("the import saves no columns of an evaluation that has other trials too", {
  tags: ["long"],
}, async () => {
  const { path, importing, data } = folder();
  const file = path("large.csv", LARGE);
  const [, id] = /^small: .*\((\S+)\)/m.exec((await importing(file, "--dry-run")).stdout)!;
  const other = {
    ...{ id: "other", trace_id: id, parent_id: id, op_name: "Evaluation.predict_and_score" },
    ...{ started_at: "2026-01-02T03:04:05Z", inputs: { example: { question: "other" } } },
    output: { output: "x", scores: { correct: true } },
  };
  await importing(path("other.jsonl", `${JSON.stringify(other)}\n`));
  await importing(file);
  // Those of the other evaluation, and its rows.
  expect(readdirSync(join(data, "segments"))).toHaveLength(2);
  const query = ["query", "me/demo", id!, "--data", data, "--format", "json", "--limit", "1"];
  const { stdout } = await assay(query);
  expect(JSON.parse(stdout)).toMatchObject({ total_rows: 1151 });
});

test("the same run with other content is reported, and replaces the first on request", async () => {
  const { path, importing, listed } = folder();
  await importing(path("answers.csv", TABLE));
  const other = path("answers.csv", TABLE.replace("Quito,false,0.2", "Lima,true,0.9"));
  const beside = await importing(other);
  expect(beside.stderr).toMatch(/earlier import of small \(\S+\) exists with other content; --replace/);
  expect((await listed()).map(({ name }) => name).sort()).toEqual(["large", "small", "small"]);
  const replaced = await importing(other, "--replace");
  expect(replaced.stderr).toMatch(/earlier import of small \(\S+\) was replaced/);
  expect((await listed()).map(({ name }) => name).sort()).toEqual(["large", "small"]);
  expect((await importing(other, "--replace")).stdout).toMatch(/; 0 new or changed\n/);
});

test("a folder's hidden files are read if it has no others, and never those of a hidden folder", async () => {
  const { path, importing } = folder();
  const hidden = path("tool/.latest.csv", TABLE);
  path("tool/.git/table.csv", TABLE);
  expect((await importing(dirname(hidden))).stdout).toContain("imported 2 evaluations");
  path("tool/notes.txt", "none");
  expect((await importing(dirname(hidden))).exitCode).toBe(2);
});

test("a dry run writes nothing, and creates no data directory", async () => {
  const { path, importing, listed } = folder();
  const { stdout, exitCode } = await importing(path("answers.csv", TABLE), "--dry-run");
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringContaining("would import 2 evaluations with 4 trials into me/demo"),
  ]);
  expect(await listed()).toEqual([]);
});

test("the given columns are used as scores, rows, answers and evaluations", async () => {
  const { path, importing, data } = folder();
  const table = "who,k,said,good,note\na,1,x,0.25,n\nb,1,y,0.75,m\n";
  const flags = [
    "--evaluation",
    "who",
    "--row-key",
    "k",
    "--output",
    "said",
    "--score",
    "good",
    "--pass",
    "good>=0.5",
  ];
  const { stdout, exitCode } = await importing(path("odd.csv", table), "--from", "table", ...flags);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("good       mean 0.2500 of 1 trial, passes when good >= 0.5");
  const { stdout: answer } = await assay(["query", "me/demo", "--data", data, "--format", "json"]);
  const { rows } = JSON.parse(answer) as {
    rows: { evaluations: { trials: { scores: object; model_output: string }[] }[] }[];
  };
  expect(
    rows.map(({ evaluations }) =>
      evaluations.map(({ trials }) => trials.map((one) => [one.model_output, one.scores])),
    ),
  ).toEqual([[[["x", { good: 0.25, good_pass: false }]], [["y", { good: 0.75, good_pass: true }]]]]);
});

test("--row-key matches rows whose content was corrected", async () => {
  const { path, importing, data } = folder();
  const files = [
    path("small.csv", "id,question,answer,correct\nq1,Captial?,Paris,1\n"),
    path("large.csv", "id,question,answer,correct\nq1,Capital?,Paris,1\n"),
  ];
  const apart = await importing(...files, "--dry-run");
  expect(apart.stdout).toContain("no row in common with the others: small");
  await importing(...files, "--row-key", "id");
  const { stdout } = await assay(["query", "me/demo", "--data", data]);
  expect(JSON.parse(stdout)).toMatchObject({ total_rows: 1, rows: [{ evaluations: [{}, {}] }] });
});

test("a project for each dataset", async () => {
  const { path, importing, data } = folder();
  const { stdout } = await importing(
    path("a.json", inspectLog("lab/small", ["C", "I"])),
    "--project-per-dataset",
  );
  expect(stdout).toContain("next: assay query me/caps");
  expect(JSON.parse((await assay(["evaluations", "me/caps", "--data", data])).stdout)).toMatchObject([
    { name: "capitals" },
  ]);
});

test.each<[string, readonly string[], number, RegExp]>([
  [
    "a file of unknown format",
    ['{"name": "x", "version": "1.0"}'],
    2,
    /: unknown format; assay import --help lists the formats/,
  ],
  ["a truncated log", [inspectLog("m", ["C", "I"]).slice(0, -20)], 1, /truncated after byte/],
  ["a log without samples", [inspectLog("m", [])], 2, /the files contain no evaluation/],
])("%s ends with its exit code, and creates nothing", async (_, texts, code, message) => {
  const { path, importing, listed } = folder();
  const { exitCode, stderr } = await importing(...texts.map((text, i) => path(`f${i}.json`, text)));
  expect([exitCode, stderr]).toEqual([code, expect.stringMatching(message)]);
  expect(await listed()).toEqual([]);
});

test("names of missing trial fields and columns are refused before anything is written", async () => {
  const { path, importing, listed } = folder();
  const log = path("a.json", inspectLog("m", ["C"]));
  expect(await importing(log, "--score", "mach")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("did you mean match?"),
  });
  expect(await importing(path("t.csv", TABLE), "--row-key", "qid")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("no column qid; it has id, question"),
  });
  expect(await importing(log, "--pass", "match")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("not a pass rule"),
  });
  expect(await listed()).toEqual([]);
});

test("a file without a byte is reported as empty", async () => {
  const { path, importing } = folder();
  const { exitCode, stderr } = await importing(path("none.csv", ""));
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^assay: .*none\.csv: empty file$/m)]);
});

test("from a folder, good files are imported, broken ones are named, and the rest is counted", async () => {
  const { home, path, importing, listed } = folder();
  path("logs/a.json", inspectLog("lab/small", ["C"]));
  path("logs/deep/b.json", inspectLog("lab/large", ["I"]));
  path("logs/cut.json", inspectLog("lab/cut", ["C"]).slice(0, 150));
  path("logs/notes.txt", "nothing to see");
  const { exitCode, stderr, stdout } = await importing(join(home, "logs"));
  expect(exitCode).toBe(3);
  expect(stderr).toContain("cut.json: truncated");
  expect(stderr).toMatch(/1 file of unknown format skipped: .*notes\.txt$/m);
  expect(stdout).toContain("imported 2 evaluations");
  expect((await listed()).map(({ trials }) => trials)).toEqual([1, 1]);
});

test("logs and calls are distinguished, from standard input too", async () => {
  const { data, path, importing, listed } = folder();
  const calls = path("calls.jsonl", evaluationLines("logged", [true, false]).join("\n"));
  const { stdout } = await importing(calls, path("answers.csv", TABLE));
  expect(stdout).toContain("imported 2 evaluations with 4 trials");
  expect(stdout).toContain("imported 3 calls");
  const piped = await assay(["import", "me/demo", "-", "--data", data], {
    stdin: TABLE.replaceAll("large", "huge"),
  });
  expect(piped).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("huge: 2 rows, 2 trials") });
  expect((await listed()).map(({ name }) => name)).toContain("huge");
});

test.each(["csv", "parquet"])(
  "data exported as %s can be imported again",
  { tags: ["long"] },
  async (format) => {
    const { home, data, path, importing } = folder();
    await importing(path("answers.csv", TABLE));
    const out = join(home, `trials.${format}`);
    expect(
      (await assay(["export", "me/demo", "--format", format, "--output", out, "--data", data])).exitCode,
    ).toBe(0);
    const { exitCode, stdout, stderr } = await assay(["import", "me/again", out, "--data", data]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("imported 2 evaluations with 4 trials");
    const { stdout: answer } = await assay(["query", "me/again", "--data", data]);
    expect(JSON.parse(answer)).toMatchObject({ total_rows: 2 });
  },
);

test("an import that is stopped leaves no evaluation behind", async () => {
  const { data, path, listed } = folder();
  const file = path("answers.csv", TABLE);
  const { exitCode, stderr } = await assay(["import", "me/demo", file, "--data", data], {
    signal: AbortSignal.abort(),
  });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("interrupted")]);
  expect(await listed()).toEqual([]);
});

const LONG = `id,question,model,answer,correct\n${Array.from({ length: 2_500 }, (_, i) => `${i},Q${i}?,m${i % 3},a,${i % 2}\n`).join("")}`;

test("on a terminal, reading and writing show records and megabytes", { tags: ["long"] }, async () => {
  const { path, data } = folder();
  const run = await assay(["import", "me/demo", path("answers.csv", LONG), "--data", data], { columns: 100 });
  expect(run.exitCode).toBe(0);
  for (const phase of ["reading", "writing"])
    expect(run.stderr).toMatch(new RegExp(`${phase} .*\\d% \\| [\\d,]+ records \\| [\\d.]+ MB`));
  expect(run.stderr).toMatch(/writing .* 2,500 records/);
});

test("an import that is stopped reports it at once, while reading and while writing", async () => {
  const { path, data, listed } = folder();
  const file = path("answers.csv", LONG);
  for (const phase of ["reading", "writing"]) {
    const stop = new AbortController();
    const run = await assay(["import", "me/demo", file, "--data", data], {
      signal: stop.signal,
      columns: 100,
      onError: (text) => {
        if (text.includes(`${phase} `)) stop.abort();
      },
    });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/assay: stopping\n[\s\S]*assay: interrupted/);
    expect(await listed()).toEqual([]);
  }
});

test("evaluations imported one by one are compared with earlier ones", async () => {
  const { path, importing } = folder();
  const first = path("a.csv", "id,question,answer,correct\n1,Q?,a,1\n");
  expect((await importing(first)).stdout).toContain("next: assay query me/demo ");
  const second = path("b.csv", "id,question,answer,correct\n1,Q?,b,0\n");
  expect((await importing(second)).stdout).toContain("next: assay compare me/demo ");
});
