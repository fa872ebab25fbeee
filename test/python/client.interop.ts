// The Python package, installed by pip from the repository, against the built command's server: its README's example,
// all kinds of conditions, and error messages.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pythonWith } from "@assay/testing/python";
import { startAssay } from "@assay/testing/server";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test("the Python package logs, reads, queries and compares", async ({ skip }) => {
  const packages = [`${path("../../python")}[pandas]`, "mypy==1.18.2"];
  const { python, reason, remove } = await pythonWith({ packages, variable: "ASSAY_CLIENT_PYTHON" });
  onTestFinished(remove);
  if (python === undefined) return skip(`skipped, because ${reason}`);
  const home = mkdtempSync(join(tmpdir(), "assay-python-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const server = await startAssay(join(home, "data"));
  onTestFinished(() => server.stop("SIGTERM"));

  const env = { ...process.env, ASSAY_URL: server.url, ASSAY_API_KEY: "" };
  const { stdout } = await run(python, [path("check.py"), path("../../python/README.md")], { env });
  expect(JSON.parse(stdout.trim().split("\n").at(-1)!)).toEqual({
    odd: {
      trials: 1200,
      refusals: 1,
      refused: [
        "TypeError: scores.deep.odd must be JSON, not set",
        "ValueError: scores.loss is infinite, which JSON cannot represent",
        expect.stringContaining("AssayError: the server at http://127.0.0.1:9 does not answer"),
      ],
    },
    redirected: [
      expect.stringMatching(
        /^AssayError: the server redirects to http:\/\/localhost:\d+\/elsewhere: connect to that/,
      ),
      ["/v2/projects"],
    ],
    projects: ["arith", "odd"],
    evaluations: [
      ["gpt-a", 3, true],
      ["gpt-b", 2, true],
    ],
    columns: expect.arrayContaining(["evaluation", "inputs.question", "outputs", "scores.correct", "trial"]),
    correct: { "gpt-a": 0.5, "gpt-b": 1 },
    rows: ["2+2?"],
    compared: "inconclusive",
    conditions: [2, 0, 1, 1, 2, 1],
    warnings: [
      ["AssayWarning: no row has a value at scores.corect; did you mean scores.correct?"],
      ['AssayWarning: scores.correct is always true or false, so it never equals "yes"; write true or false'],
      ["AssayWarning: no row has a value at scores.qualty; did you mean scores.quality?"],
      [],
    ],
    failures: [
      expect.stringMatching(/^LookupError: .*no evaluation 'gpt-c'; did you mean gpt-[ab] or gpt-[ab]\?$/),
      expect.stringMatching(/^AssayError: filters\.0\..*unknown field "nothing"/),
      "TypeError: evaluations must be a list: ['gpt-a']",
      "TypeError: sort must be a list: ['scores.correct']",
      "TypeError: write a condition as field('scores.correct') == False, not 'scores.correct'",
      expect.stringContaining("combine conditions with & | ~"),
      expect.stringContaining("write ENTITY/PROJECT"),
      expect.stringContaining("does not answer"),
      "LookupError: no evaluations in me/none",
    ],
  });
  const checked = await run(python, [
    "-m",
    "mypy",
    "--strict",
    "--ignore-missing-imports",
    path("../../python/src"),
  ]);
  expect(checked.stdout).toContain("no issues found");
});
