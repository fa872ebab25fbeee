// The output of assay export: imported again it gives the same answers, and as a table it has every trial.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { serveHttp } from "@assay/adapters-http";
import { openServer } from "@assay/server";
import { evaluationLines, rowLines } from "@assay/testing/calls";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assay, folder } from "./run-in-process.ts";

const P = "acme/demo";
const RUNS = Math.min(Number(process.env["ASSAY_RUNS"] ?? 4), 200);

async function imported(lines: readonly string[], rows: readonly string[]) {
  const home = folder();
  const data = join(home, "data");
  writeFileSync(join(home, "calls.jsonl"), lines.join("\n"));
  writeFileSync(join(home, "rows.jsonl"), rows.join("\n"));
  const args = ["import", P, join(home, "calls.jsonl"), "--rows", join(home, "rows.jsonl"), "--data", data];
  args.push("--allow-missing");
  expect((await assay(args)).exitCode).toBe(0);
  return { home, data, path: (name: string) => join(home, name) };
}

async function answerOf(data: string, evaluations: readonly string[]): Promise<string> {
  const body = {
    evaluation_call_ids: evaluations,
    include_summary: true,
    include_raw_data_rows: true,
    resolve_row_refs: true,
  };
  return (await assay(["query", P, "-", "--data", data], { stdin: JSON.stringify(body) })).stdout;
}

const SMALL = [
  ...evaluationLines("first", [true, false, true]),
  ...evaluationLines("second", [true, true], 1000),
];

describe("jsonl", () => {
  // Few ids, so that calls meet: children without parents, roots that are trials, calls without a start.
  const id = fc.constantFrom("a", "b", "c", "d", "e", "é\ud83d\ude00");
  const call = fc.record({
    id,
    parent_id: fc.option(id),
    op_name: fc.constantFrom("Evaluation.predict_and_score", "predict", "judge.score"),
    started_at: fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", null),
    inputs: fc.record({
      example: fc.constantFrom("weave:///acme/demo/object/o:v0/attr/rows/id/row0", "inline", { q: 1 }),
    }),
    output: fc.record({
      output: fc.json().map((json) => JSON.parse(json)),
      scores: fc.constant({ ok: true }),
    }),
    other: fc.constant("a key that is nowhere described"),
  });

  const calls = fc.uniqueArray(call, { minLength: 1, selector: (one) => one.id });

  test("of any project, imported elsewhere, gives the same answers and the same lines", {
    tags: ["long"],
    timeout: 120_000 + RUNS * 10_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(calls, fc.subarray(["a", "b", "c"]), async (given, some) => {
        const lines = given.map((one) => JSON.stringify(one));
        const { data, path } = await imported(lines, rowLines(2));
        const there = some.filter((id) => given.some((one) => one.id === id || one.parent_id === id));
        const chosen = there.flatMap((id) => ["--evaluation", id]);
        const files = ["--output", path("out.jsonl"), "--rows", path("out-rows.jsonl")];
        const exported = await assay(["export", P, ...chosen, ...files, "--data", data]);
        expect([exported.exitCode, exported.stdout]).toEqual([0, ""]);
        const out = readFileSync(path("out.jsonl"), "utf8");
        const outRows = readFileSync(path("out-rows.jsonl"), "utf8");
        const asked = there.length > 0 ? there : ["a", "b", "c", "d", "e"];
        const other = await imported(out.split("\n"), outRows.split("\n"));
        expect(await answerOf(other.data, asked)).toBe(await answerOf(data, asked));
        const again = await assay(["export", P, ...chosen, "--data", other.data]);
        expect(again.stdout).toBe(out);
      }),
      { numRuns: RUNS },
    );
  });

  test("of one evaluation has its calls, byte by byte, and the rows they refer to", async () => {
    const { data, path } = await imported(SMALL, rowLines(5));
    const { stdout, stderr } = await assay([
      ...["export", P, "--evaluation", "second", "--rows", path("rows"), "--data", data],
    ]);
    expect(stdout.trimEnd().split("\n")).toEqual(evaluationLines("second", [true, true], 1000));
    expect(readFileSync(path("rows"), "utf8").trimEnd().split("\n")).toEqual(rowLines(2));
    expect(stderr).toBe(`exported 3 calls and 2 rows of ${P} (${data})\n`);
  });

  test("of a missing evaluation names it and leaves no file", async () => {
    const { home, data, path } = await imported(SMALL, []);
    for (const format of ["jsonl", "csv"]) {
      const args = ["export", P, "--evaluation", "nope", "--format", format, "--output", path("out")];
      const { exitCode, stderr } = await assay([...args, "--data", data]);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${P} has no evaluation "nope"`)]);
    }
    expect(readdirSync(home).sort()).toEqual(["calls.jsonl", "data", "rows.jsonl"]);
  });
});

describe("a table", () => {
  test("in CSV has one line per trial, with flattened scores and the row", async () => {
    const { data } = await imported(SMALL, rowLines(3));
    const { stdout } = await assay(["export", P, "--format", "csv", "--data", data]);
    const [header, ...lines] = stdout.trimEnd().split("\n");
    expect(header).toBe(
      "evaluation,model,row_digest,trial,inputs.question,outputs,scores.match.correct,scores.closeness," +
        "model_latency_seconds,total_tokens,evaluation_call_id,evaluation_started_at,predict_and_score_call_id," +
        "predict_call_id",
    );
    expect(lines).toHaveLength(5);
    expect(lines[1]).toBe(
      "run first,weave:///acme/demo/object/first-model:v0,row1,1,question 1,answer 1,false,0.25,,,first," +
        "2026-01-01T00:00:00.000Z,first-1,",
    );
  });

  test("in parquet is written to a file, not to a terminal", async () => {
    const { data, path } = await imported(SMALL, rowLines(3));
    const args = ["export", P, "--format", "parquet", "--data", data];
    expect(await assay([...args, "--output", path("trials.parquet")])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path("trials.parquet")).subarray(0, 4).toString()).toBe("PAR1");
    expect(await assay(args, { columns: 80 })).toMatchObject({ exitCode: 2, stdout: "" });
    expect(await assay([...args, "--rows", path("x")])).toMatchObject({ exitCode: 2 });
    expect(existsSync(path("x"))).toBe(false);
  });

  test("names scores as in filters, and uses text for values of several types", async () => {
    const lines = evaluationLines("odd", [true, false]).map((line, i) => {
      if (i === 0) return line;
      const scores = { "a.b": { c: [1, "x"] }, mixed: i === 1 ? 1 : "\ud800" };
      return JSON.stringify({ ...JSON.parse(line), output: { output: "o", scores } });
    });
    const { data } = await imported(lines, []);
    const { stdout } = await assay(["export", P, "--format", "csv", "--data", data]);
    expect(stdout.split("\n")[0]).toContain("scores.a\\.b.c,scores.mixed");
    expect(stdout).toContain('"[1,""x""]",1,');
    expect(stdout).toContain('"[1,""x""]",\ufffd,');
  });
});

test("as a page needs named evaluations and an output file", async () => {
  const { data, path } = await imported(SMALL, rowLines(3));
  const args = ["export", P, "--evaluation", "second", "--format", "html", "--data", data];
  for (const more of [[], ["--output", path("page.html"), "--rows", path("other.jsonl")]])
    expect(await assay([...args, ...more])).toMatchObject({ exitCode: 2, stdout: "" });
  const missing = await assay([...args, "--evaluation", "nope", "--output", path("page.html")]);
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no evaluation "nope"') });
  expect(existsSync(path("page.html"))).toBe(false);

  const { exitCode, stderr } = await assay([...args, "--output", path("page.html")]);
  expect(exitCode).toBe(0);
  const html = readFileSync(path("page.html"), "utf8");
  const megabytes = (html.length / 1e6).toFixed(1);
  expect(stderr).toContain(`a file of ${megabytes} MB: anyone who has it can read`);
  const [, held] = /data-holds="calls">([^<]*)</.exec(html)!;
  const calls = gunzipSync(Buffer.from(held!, "base64")).toString().trim().split("\n");
  const one = await assay(["export", P, "--evaluation", "second", "--data", data]);
  expect(calls).toEqual(one.stdout.trim().split("\n"));
});

test("is the same to the byte through the server that has the directory open", async () => {
  const { data } = await imported(SMALL, rowLines(3));
  const formats = ["jsonl", "csv"].map((format) => ["export", P, "--format", format, "--data", data]);
  const direct = [];
  for (const args of formats) direct.push((await assay(args)).stdout);
  const served = await openServer({
    directory: data,
    areas: ["results"],
    page: false,
    bootstrapAccess: true,
  });
  const server = await serveHttp({ handler: served.handler, port: 0 });
  served.listening(server.url);
  try {
    for (const [i, args] of formats.entries()) {
      const { stdout, stderr } = await assay(args);
      expect(stdout).toBe(direct[i]);
      expect(stderr).toContain(server.url);
    }
    const missing = await assay(["export", P, "--evaluation", "nope", "--data", data]);
    expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no evaluation "nope"') });
  } finally {
    await server.close();
    await served.close();
  }
});
