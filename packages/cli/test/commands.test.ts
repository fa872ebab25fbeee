// The command in this process, from its arguments to its output and exit code.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { evaluationLines, rowLines } from "@assay/testing/calls";
import { describe, expect, test } from "vitest";
import { assay, folder } from "./run-in-process.ts";

/** A folder with the files of two evaluations over three rows, and a data directory beside them. */
function files() {
  const home = folder();
  const path = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(home, name), content);
    return join(home, name);
  };
  const lines = [
    ...evaluationLines("first", [true, false, true]),
    ...evaluationLines("second", [true, true, false], 1000),
  ];
  return {
    home,
    path,
    data: join(home, "data"),
    calls: path("calls.jsonl", lines.join("\n")),
    rows: path("rows.jsonl.gz", gzipSync(`${rowLines(3).join("\n")}\n`)),
  };
}

async function loaded() {
  const all = files();
  const { exitCode, stderr } = await assay([
    "import",
    "acme/demo",
    all.calls,
    "--rows",
    all.rows,
    "--data",
    all.data,
  ]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return all;
}

describe("import", () => {
  test("imports calls and rows and reports it; importing the same files again changes nothing", async () => {
    const { data, calls, rows } = files();
    const first = await assay(["import", "acme/demo", calls, "--rows", rows, "--data", data]);
    expect(first).toMatchObject({ exitCode: 0, stderr: "" });
    expect(first.stdout).toMatch(
      /^imported 8 calls and 3 rows into acme\/demo \(.*\) in [\d.]+ s, [\d,]+\/s; 11 new or changed\n$/,
    );
    const again = await assay(["import", "acme/demo", calls, "--rows", rows, "--data", data]);
    expect(again.stdout).toMatch(/imported 8 calls and 3 rows .*; 0 new or changed\n$/);
  });

  test("names the file, line and reason of each bad line, and imports the others", async () => {
    const { data, path, rows } = files();
    const [root, ...trials] = evaluationLines("first", [true, false]);
    const bad = path(
      "bad.jsonl",
      [root, "{nope", trials[0], "", "[]", trials[1], '{"op_name": "no id"}'].join("\n"),
    );
    const { exitCode, stdout, stderr } = await assay([
      "import",
      "acme/demo",
      bad,
      "--rows",
      rows,
      "--data",
      data,
    ]);
    expect(exitCode).toBe(3);
    expect(stdout).toContain("imported 3 calls and 3 rows");
    expect(stderr.split("\n")).toEqual([
      expect.stringContaining(`${bad}:2: not JSON`),
      expect.stringContaining(`${bad}:5: a call must be a JSON object`),
      expect.stringContaining(`${bad}:7: a call needs an id`),
      "assay: 3 bad lines skipped",
      "",
    ]);
    const { stdout: listed } = await assay(["evaluations", "acme/demo", "--data", data]);
    expect(JSON.parse(listed)).toMatchObject([{ id: "first", trials: 2, rows: 2 }]);
  });

  test("reads standard input, gzipped or not", async () => {
    const { data } = files();
    const stdin = evaluationLines("piped", [true]).join("\n");
    const { stdout } = await assay(["import", "acme/demo", "-", "--data", data], { stdin });
    expect(stdout).toContain("imported 2 calls");
  });

  test.each<[string, readonly unknown[]]>([
    ["calls of something else", [{ id: "a", op_name: "chat", inputs: {}, output: "hello" }]],
    ["lines that are not calls", ["question,answer", 4]],
    ["nothing", []],
  ])("of %s ends with 2, and explains what a trial is", async (_, lines) => {
    const stdin = lines.map((line) => JSON.stringify(line)).join("\n");
    const { data } = files();
    const { exitCode, stderr } = await assay(["import", "acme/demo", "-", "--data", data], { stdin });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("no line of - belongs to an evaluation: a trial is a call whose op_name is");
  });

  test("of files without a project suggests the command with one", async () => {
    const { calls, data } = files();
    const { exitCode, stderr } = await assay(["import", calls, "b.csv", "--data", data]);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(`: assay import acme/demo ${calls} b.csv\n`),
    ]);
  });

  test("of trials without their evaluation reports what is missing", async () => {
    const { data } = files();
    const [, trial] = evaluationLines("run", [true]);
    const { exitCode, stderr } = await assay(["import", "acme/demo", "-", "--data", data], { stdin: trial! });
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("lists no evaluation yet")]);
    const asked = await assay(["evaluations", "acme/demo", "--data", data]);
    expect(asked.stderr).not.toContain("did you mean");
  });

  test("includes everything that belongs to an existing evaluation: its root, and calls of its trials", async () => {
    const { data } = files();
    const [root, trial] = evaluationLines("run", [true]);
    const child = JSON.stringify({ id: "a", op_name: "chat", parent_id: "run-0" });
    for (const stdin of [trial!, root!, child]) {
      const { exitCode } = await assay(["import", "acme/demo", "-", "--data", data], { stdin });
      expect(exitCode).toBe(0);
    }
  });

  test("of a missing or truncated file names it, before anything is written", async () => {
    const { data, path, home } = files();
    const absent = join(home, "absent.jsonl");
    expect(await assay(["import", "acme/demo", absent, "--data", data])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `assay: ${absent}: no such file or directory\n`,
    });
    expect(existsSync(data)).toBe(false);
    const broken = path("broken.jsonl.gz", gzipSync("x".repeat(10_000)).subarray(0, 20));
    const { exitCode, stderr } = await assay(["import", "acme/demo", broken, "--data", data]);
    expect([exitCode, stderr]).toEqual([1, `assay: ${broken}: not valid gzip, or truncated\n`]);
  });

  test("shows its progress on a terminal and nowhere else", async () => {
    const { data, calls } = files();
    const { stderr } = await assay(["import", "acme/demo", calls, "--data", data], { columns: 120 });
    expect(stderr).toMatch(/calls\.jsonl .*% \| \d+ lines \| \d+ MB \| [\d,]+ lines\/s/);
  });

  test("that is stopped keeps the imported data and explains how to continue", async () => {
    const { data, calls } = files();
    const { exitCode, stderr } = await assay(["import", "acme/demo", calls, "--data", data], {
      signal: AbortSignal.abort(),
    });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("import the same files again")]);
  });
});

describe("query", () => {
  const body = {
    evaluation_call_ids: ["first", "second"],
    sort_by: [{ field: "scores.match.correct", direction: "desc", mode: "difference" }],
    include_summary: true,
    include_raw_data_rows: true,
    resolve_row_refs: true,
  };

  test("prints JSON in a pipe, for a body from a file or standard input", async () => {
    const { data, path } = await loaded();
    const file = path("body.json", JSON.stringify(body));
    const fromFile = await assay(["query", "acme/demo", file, "--data", data]);
    const fromStdin = await assay(["query", "acme/demo", "-", "--data", data], {
      stdin: JSON.stringify(body),
    });
    expect(fromFile).toEqual(fromStdin);
    const answer = JSON.parse(fromFile.stdout);
    expect(answer.rows.map((row: { row_digest: string }) => row.row_digest)).toEqual([
      "row1",
      "row2",
      "row0",
    ]);
    expect(answer.rows[0].raw_data_row).toEqual({ question: "question 1" });
  });

  test("prints a table on a terminal: rows, scores side by side, and the summary", async () => {
    const { data } = await loaded();
    const { stdout } = await assay(["query", "acme/demo", "--data", data], { columns: 100 });
    expect(stdout).toMatchInlineSnapshot(`
      "3 of 3 rows; in parentheses: change from the first evaluation with a value
      ┌───────────────┬──────────┬──────────────┐
      │               │ first    │ second       │
      ├───────────────┴──────────┴──────────────┤
      │ question 2                              │
      ├───────────────┬──────────┬──────────────┤
      │ output        │ answer 2 │ answer 2     │
      │ match.correct │ ✓        │ ✗ (−1)       │
      │ closeness     │ 1        │ 0.25 (−0.75) │
      ├───────────────┴──────────┴──────────────┤
      │ question 1                              │
      ├───────────────┬──────────┬──────────────┤
      │ output        │ answer 1 │ answer 1     │
      │ match.correct │ ✗        │ ✓ (+1)       │
      │ closeness     │ 0.25     │ 1 (+0.75)    │
      ├───────────────┴──────────┴──────────────┤
      │ question 0                              │
      ├───────────────┬──────────┬──────────────┤
      │ output        │ answer 0 │ answer 0     │
      │ match.correct │ ✓        │ ✓            │
      │ closeness     │ 1        │ 1            │
      └───────────────┴──────────┴──────────────┘
      Sorted by the difference in match.correct (largest first), then match.correct of second (smallest
      first), then the difference in closeness (largest first), then row digest
      Summary of 3 rows
      ┌────────────────┬─────────────┬─────────────┐
      │ score          │ first       │ second      │
      ├────────────────┼─────────────┼─────────────┤
      │ match.correct  │ 66.7% (2/3) │ 66.7% (2/3) │
      │  against first │             │ ±0.0 points │
      │ closeness      │ mean 0.75   │ mean 0.75   │
      │  against first │             │ ±0          │
      │ trials         │ 3           │ 3           │
      └────────────────┴─────────────┴─────────────┘
      Whether second is better than first on match.correct is inconclusive: ±0.0 points (95% CI −78.4 to
      +78.4), 3 rows, paired.
      Of 1 other measure: 1 inconclusive.
      Note: fewer than 30 rows: intervals of scores.closeness may be too narrow
      Note: a few rows dominate scores.closeness, so intervals may be too narrow: add rows
      "
    `);
  });

  test("without a body compares the latest evaluations", async () => {
    const { data } = await loaded();
    const { stdout } = await assay(["query", "acme/demo", "--data", data]);
    expect(JSON.parse(stdout)).toMatchObject({ total_rows: 3, summary: { evaluations: [{}, {}] } });
  });

  test("of an empty project has no rows, if that is allowed", async () => {
    const args = ["query", "acme/nothing", "--data", folder()];
    expect(await assay(args)).toMatchObject({ exitCode: 2, stdout: "" });
    const { stdout } = await assay([...args, "--allow-missing"]);
    expect(JSON.parse(stdout)).toMatchObject({ rows: [], total_rows: 0 });
  });

  test("with faults is refused, and each is listed", async () => {
    const { data, path } = await loaded();
    const file = path(
      "body.json",
      JSON.stringify({ limit: -1, sort_by: [{ field: "latency", direction: "asc" }] }),
    );
    const { exitCode, stdout, stderr } = await assay(["query", "acme/demo", file, "--data", data]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/body\.json: limit: .* \(greater_than_equal\)/);
    expect(stderr).toMatch(/body\.json: sort_by\.0\.field: .* \(value_error\)/);
    const broken = path("broken.json", "{");
    expect((await assay(["query", "acme/demo", broken, "--data", data])).stderr).toContain(
      "broken.json: not JSON",
    );
  });

  test("shows hostile text as text", async () => {
    const { data, path } = files();
    const calls = evaluationLines("evil", [true])
      .join("\n")
      .replaceAll("answer 0", "\\u001b[2J\\u001b]0;owned\\u0007\\u009b31mred\\u202e");
    await assay(["import", "acme/demo", path("evil.jsonl", calls), "--data", data]);
    const table = await assay(["query", "acme/demo", "--data", data], { columns: 100 });
    const json = await assay(["query", "acme/demo", "--data", data, "--format", "json"], { columns: 100 });
    for (const { stdout } of [table, json]) expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    expect(JSON.parse(json.stdout).rows[0].evaluations[0].trials[0].model_output).toContain("\u001b[2J");
  });
});

describe("evaluations", () => {
  test("are listed as JSON in a pipe and as a table on a terminal, with full ids", async () => {
    const { data } = await loaded();
    const { stdout } = await assay(["evaluations", "acme/demo", "--data", data]);
    expect(JSON.parse(stdout)).toEqual([
      {
        id: "first",
        name: "run first",
        model: "weave:///acme/demo/object/first-model:v0",
        started_at: "2026-01-01T00:00:00.000Z",
        ended_at: "2026-01-01T00:01:40.000Z",
        evaluation_ref: "weave:///acme/demo/object/e:v0",
        trials: 3,
        rows: 3,
        dataset: "weave:///acme/demo/object/questions:v0",
      },
      expect.objectContaining({ id: "second" }),
    ]);
    const table = await assay(["evaluations", "acme/demo", "--data", data], { columns: 100 });
    expect(table.stdout).toMatch(/│ first +│ run first/);
  });

  test("of an empty project is empty, and explains how to change that", async () => {
    const { stdout, stderr } = await assay(["evaluations", "a/b", "--data", join(folder(), "d")], {
      columns: 80,
    });
    expect([stdout, stderr]).toEqual(["", expect.stringContaining("assay import")]);
  });
});

describe("an invalid command", () => {
  test.each([
    [["frobnicate"], "unknown command"],
    [["import", "acme/demo"], "at least one file"],
    [["query"], "missing required argument"],
    [["query", "acme"], "write ENTITY/PROJECT"],
    [["query", "acme/a:b"], "any of / \\ # ? % :"],
    [["query", "a/b", "--format", "xml"], "Allowed choices are json, table"],
    [["serve", "--port", "99999999"], "0 to 65535"],
    [["serve", "--port", "web"], "0 to 65535"],
    [["serve", "--host", "0.0.0.0"], "set ASSAY_API_KEY"],
    [["serve", "--bogus"], "unknown option"],
  ])("%j ends with 2 and suggests the right usage", async (args, message) => {
    const { exitCode, stdout, stderr } = await assay(args, { env: { ASSAY_DATA: join(folder(), "data") } });
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^assay: /);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("help ends with 0, has all commands in groups, examples and exit codes, and never shows the key", async () => {
    const env = { ASSAY_API_KEY: "s3cret" };
    for (const args of [["--help"], ["import", "--help"], ["query", "--help"], ["serve", "--help"]]) {
      const { exitCode, stdout } = await assay(args, { env });
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/Examples:|Exit codes:/);
      expect(stdout).not.toContain("s3cret");
    }
    const help = (await assay(["--help"])).stdout;
    expect([help.match(/^[A-Z].*:$/gm), /^Help:\n {2}help .*\n\n/m.test(help)]).toEqual([
      [
        ...["Options:", "Evaluations:", "Server:", "Data directory:", "Training and models:", "Help:"],
        ...["Exit codes:", "Shell completion:", "Start with:"],
      ],
      true,
    ]);
    expect(await assay(["help", "keys", "create"])).toEqual(await assay(["keys", "create", "--help"]));
    expect((await assay(["import", "--help"])).stdout).toContain(
      "assay import acme/demo calls.jsonl.gz --rows",
    );
    expect((await assay(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("a bug in the command shows its stack only on request", async () => {
    const { path } = files();
    // A file at the path of the data directory.
    const data = path("file", "");
    const plain = await assay(["query", "a/b", "--data", data]);
    expect([plain.exitCode, plain.stderr.trim().split("\n").length]).toEqual([1, 1]);
    const debugged = await assay(["query", "a/b", "--data", data], { env: { ASSAY_DEBUG: "1" } });
    expect(debugged.stderr).toMatch(/ at .*\.ts/);
  });
});

test("projects are listed with their counts, even in a directory without any", async () => {
  const { data } = await loaded();
  const { stdout } = await assay(["projects", "--data", data]);
  expect(JSON.parse(stdout)).toEqual([
    { project: "acme/demo", evaluations: 2, last_started_at: expect.stringMatching(/^20/) },
  ]);
  expect((await assay(["projects", "--data", data], { columns: 80 })).stdout).toMatch(/│ acme\/demo │ 2 /);
  const none = await assay(["projects", "--data", folder()]);
  expect(none).toMatchObject({
    exitCode: 0,
    stdout: "[]\n",
    stderr: expect.stringContaining("assay import"),
  });
});
