// Standard conventions of command lines: short options, help by command, quiet mode, completions, Ctrl-C.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assayProcess as assay } from "@assay/testing/command";
import { startAssay } from "@assay/testing/server";
import { COMMAND } from "@assay/testing/spawn.mjs";
import { describe, expect, onTestFinished, test } from "vitest";

function home(): string {
  const path = mkdtempSync(join(tmpdir(), "assay-line-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const CALLS = [
  { id: "run", op_name: "Evaluation.evaluate", inputs: {}, started_at: "2026-01-01T00:00:00Z" },
  {
    id: "trial",
    parent_id: "run",
    op_name: "Evaluation.predict_and_score",
    inputs: { example: { q: 1 } },
    output: { output: "a", scores: { ok: true } },
  },
];
const stdin = CALLS.map((call) => JSON.stringify(call)).join("\n");

test("-h, --help and help COMMAND print help, -v the version", async () => {
  const [short, long, byName] = [
    await assay(["query", "-h"]),
    await assay(["query", "--help"]),
    await assay(["help", "query"]),
  ];
  expect(short.stdout).toContain("Usage: assay query");
  expect([long, byName]).toEqual([short, short]);
  expect((await assay(["-h"])).stdout).toContain("assay complete bash");
  expect(await assay(["-v"])).toEqual(await assay(["--version"]));
});

test("--quiet, before or after the command, prints only results", async () => {
  const data = ["--data", join(home(), "data")];
  const silent = { exitCode: 0, stdout: "", stderr: "" };
  expect(await assay(["-q", "import", "a/b", "-", ...data], { stdin })).toEqual(silent);
  const exported = await assay(["export", "a/b", ...data, "--quiet"]);
  expect([exported.exitCode, exported.stderr]).toEqual([0, ""]);
  expect(exported.stdout.trim().split("\n")).toHaveLength(2);
  expect((await assay(["query", "a/c", "-q", ...data])).stderr).toContain("did you mean a/b?");
});

describe("completions", () => {
  test.each(["bash", "zsh", "fish"])("for %s are a script that calls the command", async (shell) => {
    const { exitCode, stdout } = await assay(["complete", shell]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/assay complete --|assay.*complete/);
  });

  test("include commands, and the options of a command", async () => {
    expect((await assay(["complete", "--", "qu"])).stdout).toContain("query");
    expect((await assay(["complete", "--", "query", "--so"])).stdout).toContain("--sort");
    expect((await assay(["complete", "--", "query", "--format", ""])).stdout).toContain("parquet");
  });
});

test("Ctrl-C ends a command with exit code 130", async () => {
  const data = join(home(), "data");
  expect((await assay(["import", "a/b", "-", "--data", data], { stdin })).exitCode).toBe(0);
  const server = await startAssay(data);
  onTestFinished(() => server.stop("SIGTERM"));
  const child = spawn(process.execPath, [COMMAND, "watch", "a/b", "run", "--data", data], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGINT");
  const [exitCode] = (await once(child, "close")) as [number | null];
  expect(exitCode).toBe(130);
});
