// What assay export writes, by the built command.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { assay } from "./command.ts";

test("an exported table has a column for each score, also where keys have dots and backslashes", async () => {
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
