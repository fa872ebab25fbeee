// The output of assay export in the built command.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { assay } from "@assay/testing/command";
import { expect, onTestFinished, test } from "vitest";

test("an exported table has a column for each score, even if keys have dots and backslashes", async () => {
  const data = mkdtempSync(join(tmpdir(), "assay-export-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const scores = { "a\\": { b: 1 }, "a.b": 2, a: { b: 3 } };
  const trial = {
    id: "trial",
    parent_id: "run",
    op_name: "Evaluation.predict_and_score",
    inputs: { example: { question: "?" } },
    output: { output: "!", scores },
  };
  const root = { id: "run", op_name: "Evaluation.evaluate", inputs: {} };
  const stdin = [root, trial].map((call) => JSON.stringify(call)).join("\n");
  expect(await assay(["import", "acme/demo", "-", "--data", data], { stdin })).toMatchObject({ exitCode: 0 });
  const { stdout } = await assay(["export", "acme/demo", "--format", "csv", "--data", data]);
  const [head, values] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  const columns = Object.fromEntries(head!.map((name, i) => [name, Number(values![i])]));
  expect(columns).toMatchObject({ "scores.a\\\\.b": 1, "scores.a\\.b": 2, "scores.a.b": 3 });
});

test("an exported file has the requested rows, shortened outputs, and no redacted values", async () => {
  const data = mkdtempSync(join(tmpdir(), "assay-export-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const people = ["ann@example.org", "bob@example.org", "ann@example.org", "cy@example.org"];
  const secret = /ann|bob|cy@|example\.org|4\.50/;
  const ref = (row: number) => `weave:///acme/demo/object/people:v0/attr/rows/id/digest-of-${people[row]}`;
  const calls = ["one", "two"].flatMap((id) => [
    { id, op_name: "Evaluation.evaluate", display_name: id, inputs: {}, started_at: "2026-01-01T00:00:00Z" },
    ...people.flatMap((email, row) => [
      {
        id: `${id}-${row}`,
        parent_id: id,
        op_name: "Evaluation.predict_and_score",
        inputs: {
          example:
            id === "one" && row > 1 ? ref(row) : { email, kind: row === 1 ? "law" : "art", row, pay: 4.5 },
        },
        output: { output: `Dear ${email}, ${"so it goes. ".repeat(40)}`, scores: { ok: row % 2 === 0 } },
      },
      {
        id: `${id}-${row}-predict`,
        parent_id: `${id}-${row}`,
        op_name: "Model.predict",
        inputs: { prompt: [{ content: `Write to ${email}!` }] },
        output: `Dear ${email}, ${"so it goes. ".repeat(40)}`,
      },
    ]),
  ]);
  const stdin = calls.map((call) => JSON.stringify(call)).join("\n");
  expect(await assay(["import", "acme/demo", "-", "--data", data], { stdin })).toMatchObject({ exitCode: 0 });
  const rows = [2, 3].map((row) =>
    JSON.stringify({ digest: `digest-of-${people[row]}`, val: { email: people[row], kind: "art", row } }),
  );
  const rowsFile = join(data, "rows.jsonl");
  writeFileSync(rowsFile, rows.join("\n"));
  await assay(["import", "acme/demo", "--rows", rowsFile, "--data", data]);

  const output = join(data, "file.html");
  const args = ["export", "acme/demo", "--data", data, "--format", "html", "--output", output];
  const narrowed = ["--where", 'inputs.kind = "art"', "--outputs", "30", "--redact", "inputs.email"];
  const { stderr } = await assay([...args, ...narrowed, "--redact", "inputs.pay"]);
  expect(stderr).toMatch(
    /^a file of \d\.\d MB: .* 30 characters of each output, but inputs\.email, inputs\.pay, of 2 evaluations/,
  );
  const html = readFileSync(output, "utf8");
  const held = (kind: string) => {
    const blocks = html.matchAll(new RegExp(`data-holds="${kind}">([^<]*)`, "g"));
    return Buffer.concat(Array.from(blocks, ([, text]) => Buffer.from(text!, "base64")));
  };
  const texts = ["calls", "rows"].map((kind) => gunzipSync(held(kind)).toString());
  expect(texts.join("")).not.toMatch(secret);
  const kept = texts[0]!
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; output: unknown });
  expect(kept.filter(({ id }) => /-1(?:-|$)/.test(id))).toEqual([]);
  expect(kept).toHaveLength(2 + 2 * 3 * 2);
  expect(JSON.stringify(kept.find(({ id }) => id === "two-0-predict"))).toMatch(/Write to \[redacted 1\]!/);
  expect(kept.find(({ id }) => id === "two-0-predict")!.output).toMatch(
    /^Dear \[redacted 1\], so it goe.*…$/,
  );

  const misspelt = await assay([...args, "--redact", "inputs.emial"]);
  expect(misspelt).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("has inputs.emial") });
  expect(await assay([...args, "--outputs", "some"])).toMatchObject({ exitCode: 2 });
});
