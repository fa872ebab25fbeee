// Flat tables of any query: exporting and importing them gives the same answer.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assay, folder } from "./run-in-process.ts";

const P = "me/flat";

interface Trial {
  readonly inputs: object;
  readonly output: unknown;
  readonly scores: object;
  readonly latency?: number;
}

/** Calls of two evaluations; the first evaluation has two trials of its first row. */
function linesOf(trials: readonly Trial[]): string {
  const calls = ["small", "large"].flatMap((id) => [
    {
      id,
      op_name: "Evaluation.evaluate",
      display_name: `the ${id} one`,
      inputs: { model: id },
      started_at: "2026-01-01T00:00:00Z",
    },
    ...[...trials, ...(id === "small" ? trials.slice(0, 1) : [])].map(
      ({ inputs, output, scores, latency }, i) => ({
        id: `${id}-${i}`,
        parent_id: id,
        op_name: "Evaluation.predict_and_score",
        started_at: `2026-01-01T00:00:${String(i).padStart(2, "0")}Z`,
        inputs: { example: inputs, model: id },
        output: { output, scores, ...(latency !== undefined && { model_latency: latency }) },
        summary: { usage: { m: { total_tokens: i } } },
      }),
    ),
  ]);
  return calls.map((call) => JSON.stringify(call)).join("\n");
}

async function imported(file: string): Promise<string> {
  const data = join(folder(), "data");
  const { exitCode, stderr } = await assay(["import", P, file, "--data", data]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return data;
}

/** The whole answer about both evaluations, without the ids that an import assigns. */
async function answerOf(data: string): Promise<unknown> {
  const names = ["the small one", "the large one"];
  const { exitCode, stdout, stderr } = await assay(["query", P, ...names, "--limit", "1000", "--data", data]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout, (key, value) =>
    /_call_ids?$|^(?:evaluation_ref|trace_id|model_ref|started_at)$/.test(key) ? undefined : value,
  );
}

const ODD = [
  "12",
  "007",
  "-0.5",
  "true",
  "",
  "=1+1",
  "+1",
  "@SUM(A1)",
  "-",
  "\t",
  "'x",
  "''",
  "[1]",
  "[",
  "{}",
  'a,"b"\nc\u0000',
  "é\u{1f600}",
  "NaN",
];

describe("a flat table that is imported again gives the same answer", () => {
  // Every odd text in every position, beside values of other types.
  const trials = ODD.map((text, n): Trial => {
    const other = ODD[(n + 1) % ODD.length]!;
    return {
      inputs: {
        n,
        text,
        "a.b": { c: other },
        list: ODD.slice(n, n + (n % 3)),
        ...(n % 4 === 0 && { extra: n / 8 }),
      },
      output: text,
      scores: { exact: { correct: n % 2 === 0 }, quality: n / 7, ...(n % 3 > 0 && { why: other }) },
      ...(n % 2 === 0 && { latency: n + 0.5 }),
    };
  });
  // A Parquet column has one type.
  const mixed = [12, -1e-7, true, { answer: "12", "x.y": [] }, 2 ** 40].map((output, n): Trial => {
    return { inputs: { n: 100 + n, text: output }, output, scores: { mixed: n % 2 === 0 ? n : String(n) } };
  });

  test.each<[string, readonly Trial[]]>([
    ["csv", [...trials, ...mixed]],
    ["parquet", trials],
    ["jsonl", [...trials, ...mixed]],
  ])("%s", async (format, some) => {
    const home = folder();
    writeFileSync(join(home, "calls.jsonl"), linesOf(some));
    const data = await imported(join(home, "calls.jsonl"));
    const file = join(home, `trials.${format}`);
    const args = ["query", P, "the small one", "the large one", "--format", format, "--output", file];
    expect(await assay([...args, "--data", data])).toMatchObject({ exitCode: 0, stdout: "" });
    expect(await answerOf(await imported(file))).toEqual(await answerOf(data));
  });

  test("including the output of assay export, plain and gzipped", async () => {
    const home = folder();
    writeFileSync(
      join(home, "calls.jsonl"),
      linesOf([{ inputs: { q: "1+1" }, output: "2", scores: { ok: true } }]),
    );
    const data = await imported(join(home, "calls.jsonl"));
    const file = join(home, "trials.csv");
    await assay(["export", P, "--format", "csv", "--output", file, "--data", data]);
    const other = await imported(file);
    expect(await answerOf(other)).toEqual(await answerOf(data));
    expect((await assay(["import", P, file, "--data", other])).stdout).toContain("0 new or changed");
  });
});

describe("a flat table of a query", () => {
  const trials = ODD.map((text, n) => ({ inputs: { n, text }, output: text, scores: { ok: n % 2 === 0 } }));

  test("has only its rows, in its order", async () => {
    const home = folder();
    writeFileSync(join(home, "calls.jsonl"), linesOf(trials));
    const data = await imported(join(home, "calls.jsonl"));
    const args = [
      "query",
      P,
      "the large one",
      "--where",
      "scores.ok and inputs.n > 3",
      "--sort",
      "inputs.n desc",
    ];
    const { stdout } = await assay([...args, "--limit", "3", "--format", "jsonl", "--data", data]);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)["inputs.n"]),
    ).toEqual([16, 14, 12]);
  });

  test("has no cell that a spreadsheet reads as a formula", async () => {
    const home = folder();
    writeFileSync(join(home, "calls.jsonl"), linesOf(trials));
    const data = await imported(join(home, "calls.jsonl"));
    const { stdout } = await assay(["query", P, "the large one", "--format", "csv", "--data", data]);
    expect(stdout).toContain(",'=1+1,'=1+1,");
    expect(stdout).not.toMatch(/(?:^|,)"?[=+@\t]/m);
    expect(stdout.split("\n")[0]).toContain("row_digest,trial,inputs.n,inputs.text,outputs,scores.ok,");
  });

  test("has no formula behind invisible characters, and every text is complete", async () => {
    // Characters that a spreadsheet may skip at the start of a cell, and those that it may read as the start of a
    // formula.
    const hidden = [..." \t\n\r\u0000\u00a0\u00ad\u200b\u2060\ufeff\u3000\u202e\u2003\u3164"];
    const signs = [..."=+-@＝＋－＠﹦﹢﹣﹫−"];
    const unit = fc.constantFrom(...hidden, ...signs, "a", "1", "'");
    const texts = fc.sample(fc.string({ unit, minLength: 1, maxLength: 5 }), { numRuns: 500, seed: 7 });
    const home = folder();
    const calls = linesOf(texts.map((text, n) => ({ inputs: { n, text }, output: 1, scores: { ok: true } })));
    writeFileSync(join(home, "calls.jsonl"), calls);
    const data = await imported(join(home, "calls.jsonl"));
    const args = ["query", P, "the large one", "--sort", "inputs.n", "--format", "csv", "--data", data];
    const { stdout } = await assay(args);
    const cells = [...stdout.matchAll(/("(?:[^"]|"")*"|[^",\n]*)(?:,|\n|$)/gy)].map(([, cell = ""]) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    );
    const seen = (cell: string) => [...cell].find((character) => !hidden.includes(character)) ?? "";
    expect(texts.filter((text) => signs.includes(seen(text))).length).toBeGreaterThan(200);
    expect(cells.length).toBeGreaterThan(5 * texts.length);
    expect(cells.filter((cell) => signs.includes(seen(cell)) || /^[\t\r\n]/.test(cell))).toEqual([]);
    const written = new Set(cells);
    expect(texts.filter((text) => !written.has(text) && !written.has(`'${text}`))).toEqual([]);
  });

  test("of an invalid query is not created", async () => {
    const home = folder();
    writeFileSync(join(home, "calls.jsonl"), linesOf(trials));
    const data = await imported(join(home, "calls.jsonl"));
    const file = join(home, "out.csv");
    const args = ["query", P, "-", "--format", "csv", "--output", file, "--data", data];
    const { exitCode, stderr } = await assay(args, { stdin: '{"limit": -1}' });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("limit")]);
    expect(() => readFileSync(file)).toThrow("ENOENT");
    expect(await assay(["query", P, "--output", file, "--data", data])).toMatchObject({ exitCode: 2 });
  });
});
