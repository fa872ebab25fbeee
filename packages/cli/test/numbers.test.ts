// Numbers through the built command, as bytes: every import and export path preserves their notation.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay } from "@assay/testing/command";
import { builtServer } from "@assay/testing/server";
import { expect, test } from "vitest";
import { folder } from "./run-in-process.ts";

const ROW = "weave:///acme/demo/object/rows:v1/attr/rows/id/";
// The digest that Python's client gives a row {"x": 1.0}.
const DIGEST = "hXYo5CD9tT04YhwV9Lb3Yn20n4eGfwZO2DFpPCvifmA";

const call = (id: string, example: string, output = "1.0"): string =>
  `{"id":"${id}","parent_id":"e","op_name":"Evaluation.predict_and_score","inputs":{"example":${example}},"output":{"output":${output},"scores":{"s":1.0,"n":{"big":12345678901234567890,"small":1e-05}}}}`;

const query = JSON.stringify({ evaluation_call_ids: ["e"], include_raw_data_rows: true });

test("an import preserves the notation of numbers in answers and exports, and identifies rows by it", async () => {
  const data = folder();
  const files = folder();
  const file = join(files, "calls.jsonl");
  const lines = [
    call("a", '{"id":9007199254740992}'),
    call("b", '{"id":9007199254740993}', "0.50"),
    call("c", '{"x":1.0}'),
    call("d", '{"x":1}', '{"y":[1e5,-0]}'),
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  expect((await assay(["import", "acme/demo", file, "--data", data])).exitCode).toBe(0);
  writeFileSync(join(files, "query.json"), query);
  const answer = await assay([
    "query",
    "acme/demo",
    join(files, "query.json"),
    "--data",
    data,
    "--format",
    "json",
  ]);
  expect(answer.stderr).toBe("");
  expect(answer.stdout.match(/"row_digest"/g)).toHaveLength(4);
  for (const written of [
    '"raw_data_row":{"id":9007199254740992}',
    '"raw_data_row":{"id":9007199254740993}',
    '"raw_data_row":{"x":1.0}',
    '"raw_data_row":{"x":1}',
    '"model_output":0.50',
    '"model_output":{"y":[1e5,-0]}',
    '"scores":{"s":1.0,"n":{"big":12345678901234567890,"small":1e-05}}',
  ])
    expect(answer.stdout).toContain(written);
  const exported = await assay(["export", "acme/demo", "--data", data]);
  for (const line of lines) expect(exported.stdout).toContain(line);
});

test("a table preserves the notation of its numbers, and scores beyond 2^53 are in the mean", async () => {
  const data = folder();
  const file = join(folder(), "table.jsonl");
  const line = (id: string, score: string): string =>
    `{"model":"m","id":${id},"question":{"level":1.0},"answer":0.50,"score":${score}}\n`;
  writeFileSync(
    file,
    line("12345678901234567890", "12345678901234567890") + line("12345678901234567891", "2.0"),
  );
  expect((await assay(["import", "acme/demo", file, "--data", data])).exitCode).toBe(0);
  const answer = await assay(["query", "acme/demo", "m", "--data", data, "--format", "json"]);
  for (const written of [
    '"raw_data_row":{"id":12345678901234567890,"question":{"level":1.0}}',
    '"raw_data_row":{"id":12345678901234567891,"question":{"level":1.0}}',
    '"model_output":0.50,"scores":{"score":12345678901234567890}',
    '"model_output":0.50,"scores":{"score":2.0}',
    '"numeric_count":2,"numeric_mean":6172839450617284000',
  ])
    expect(answer.stdout).toContain(written);
});

test("numbers from Weave clients keep their notation, and their rows equal the inline ones", async () => {
  const server = await builtServer();
  const post = async (path: string, body: string): Promise<string> => {
    const response = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    return response.text();
  };
  const table = await post("/table/create", '{"table":{"project_id":"acme/demo","rows":[{"x":1.0}]}}');
  expect(JSON.parse(table)).toMatchObject({ row_digests: [DIGEST] });
  const complete = (id: string, parent: string, op: string, inputs: string, output: string): string =>
    `{"project_id":"acme/demo","id":"${id}","trace_id":"t","parent_id":${parent},"op_name":"${op}","started_at":"2026-01-01T00:00:00Z","ended_at":"2026-01-01T00:00:01Z","attributes":{},"inputs":${inputs},"output":${output},"summary":{}}`;
  const op = "Evaluation.predict_and_score";
  const output = '{"output":1.0,"scores":{"s":9007199254740993}}';
  const batch = [
    complete("e", "null", "Evaluation.evaluate", "{}", "2.0"),
    complete("a", '"e"', op, `{"example":"${ROW}${DIGEST}"}`, output),
    complete("b", '"e"', op, '{"example":{"x":1.0}}', output),
  ].map((req) => `{"mode":"complete","req":${req}}`);
  await post("/call/upsert_batch", `{"batch":[${batch.join(",")}]}`);
  const answer = await post("/v2/acme/demo/eval_results/query", query);
  expect(answer.match(/"row_digest"/g)).toHaveLength(1);
  expect(answer).toContain(`"row_digest":"${DIGEST}"`);
  expect(answer.match(/"model_output":1\.0,"scores":\{"s":9007199254740993\}/g)).toHaveLength(2);
  const read = await post("/call/read", '{"project_id":"acme/demo","id":"a"}');
  expect(read).toContain(`"output":${output}`);
  expect(await post("/call/read", '{"project_id":"acme/demo","id":"e"}')).toContain('"output":2.0');
  const rows = await post(
    "/table/query",
    `{"project_id":"acme/demo","digest":${JSON.stringify((JSON.parse(table) as { digest: string }).digest)}}`,
  );
  expect(rows).toContain('"val":{"x":1.0}');
});
