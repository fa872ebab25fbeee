// How the built command reports files without evaluations, and large imports.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { evaluationLines } from "@assay/testing/calls";
import { assay } from "@assay/testing/command";
import { startAssay } from "@assay/testing/server";
import { expect, onTestFinished, test } from "vitest";

const P = "acme/demo";

function directory(): string {
  const home = mkdtempSync(join(tmpdir(), "assay-import-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return join(home, "data");
}

const importing = (data: string, lines: readonly unknown[], ...options: readonly string[]) =>
  assay(["import", P, "-", "--data", data, ...options], {
    stdin: lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
  });

const ELSEWHERE = { id: "a", op_name: "chat", inputs: {}, output: "hello" };

test("calls outside evaluations end with 2 and the definition of a trial, and a plain record is imported as a table", async () => {
  const { exitCode, stderr } = await importing(directory(), [ELSEWHERE]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("no line of - belongs to an evaluation");
  expect(stderr).toContain("op_name is Evaluation.predict_and_score");
  const row = await importing(directory(), [{ id: "1", question: "2+2?", answer: "4", correct: true }]);
  expect([row.exitCode, row.stderr]).toEqual([0, ""]);
  expect(row.stdout).toContain("stdin: 1 row, 1 trial");
});

test("the calls are imported nevertheless, and --allow-missing makes it a success", async () => {
  const data = directory();
  expect((await importing(data, [ELSEWHERE], "--allow-missing")).exitCode).toBe(0);
  const exported = await assay(["export", P, "--data", data]);
  expect(exported.stdout).toBe(`${JSON.stringify(ELSEWHERE)}\n`);
});

test("an import through a server reports the same", async () => {
  const data = directory();
  const server = await startAssay(data);
  onTestFinished(() => server.stop("SIGTERM"));
  expect((await importing(data, [ELSEWHERE])).exitCode).toBe(2);
  expect((await importing(data, evaluationLines("run", [true]))).exitCode).toBe(0);
});

test("an import of a long file on a separate thread loses nothing, and reports bad lines with their numbers", {
  tags: ["long"],
}, async () => {
  const data = directory();
  const text = "x".repeat(2000);
  const lines = Array.from({ length: 12_000 }, (_, i) => JSON.stringify({ ...ELSEWHERE, id: `c${i}`, text }));
  lines[20] = "{oops";
  lines[11_990] = "[]";
  lines[11_991] = "";
  const first = await importing(data, lines, "--allow-missing");
  expect(first.stderr).toMatch(/stdin:21: not JSON.*stdin:11991: a call must be a JSON object/s);
  expect(first.stdout).toContain("imported 11,997 calls");
  expect(first.stdout).toContain("11,997 new or changed");
  lines[20] = lines[0]!;
  lines[11_990] = JSON.stringify({ ...ELSEWHERE, id: "c30", text: "changed" });
  expect((await importing(data, lines, "--allow-missing")).stdout).toContain("; 1 new or changed");
  const exported = await assay(["export", P, "--data", data]);
  const kept = lines.filter((line, i) => line !== "" && i !== 20 && i !== 30);
  expect(new Set(exported.stdout.trimEnd().split("\n"))).toEqual(new Set(kept));
});

test("an import of a long table that a separate thread compresses restores its calls, rows and columns exactly", {
  tags: ["long"],
}, async () => {
  const data = directory();
  const models = ["a", "b"];
  // Model b is also right where a is, and on another third of the questions.
  const rows = Array.from({ length: 30_000 }, (_, i) => {
    const [question, model] = [i >> 1, models[i % 2]!];
    const correct = model === "b" ? question % 3 > 0 : question % 3 === 1;
    return {
      id: `q${question}`,
      question: `Question ${question}?`,
      model,
      answer: `answer ${i} `.repeat(20),
      correct,
    };
  });
  expect((await importing(data, rows)).exitCode).toBe(0);
  const compared = await assay(["compare", P, "a", "b", "--data", data]);
  const { wins, losses } = JSON.parse(compared.stdout).comparisons[0].measures[0];
  expect([wins, losses]).toEqual([5000, 0]);
  const lines = (await assay(["export", P, "--data", data])).stdout.trimEnd().split("\n");
  const trials = lines.filter((line) => line.includes("predict_and_score"));
  const answers = new Set(trials.map((line) => JSON.parse(line).output.output));
  expect(answers).toEqual(new Set(rows.map(({ answer }) => answer)));
  const packed = gunzipSync(readFileSync(join(data, "calls.jsonl.gz"))).toString();
  expect(new Set(packed.trimEnd().split("\n"))).toEqual(new Set(trials));
});
