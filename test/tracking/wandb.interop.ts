// The wandb package, unmodified and with its usual environment, against a data directory that is served. It is
// installed into a temporary virtual environment; WANDB_PYTHON can name a Python that has it.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { pythonWith } from "@assay/testing/python";
import { serve } from "@assay/testing/training-server";
import { expect, onTestFinished, test } from "vitest";
import { newKey } from "./new-key.ts";

const run = promisify(execFile);

test("wandb 0.31.0 logs runs and artifacts, and reads them back", async ({ skip }) => {
  const { python, reason, folder, remove } = await pythonWith({
    packages: ["wandb==0.31.0"],
    variable: "WANDB_PYTHON",
  });
  onTestFinished(remove);
  if (python === undefined) return skip(`skipped, because ${reason}`);
  const data = join(folder, "data");
  const key = await newKey(data, "default/*");
  const server = await serve(data);
  const { stdout } = await run(python, [join(import.meta.dirname, "wandb_client.py")], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      WANDB_BASE_URL: server.url,
      WANDB_API_KEY: key,
      PYTHONDONTWRITEBYTECODE: "1",
    },
    maxBuffer: 2 ** 26,
  });
  expect(JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? "null")).toEqual({
    entity: "default",
    run: {
      name: "first",
      state: "finished",
      config: { lr: 0.1, deep: { a: 1 }, more: 2 },
      best: 42,
      steps: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      odd: expect.stringMatching(/^nan$/i),
      last: 10,
      keyed: 10,
      page: [2, 3, 4],
      history: 11,
      sampled: 4,
      files: ["config.yaml", "output.log", "requirements.txt", "wandb-metadata.json", "wandb-summary.json"],
    },
    again: [[200, 201], [200, 201], 1, 201],
    offline: [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], 4, 4],
    printed: expect.stringContaining(""),
    projects: ["tracked", "verify"],
    verified: ["logged in", "signed URL upload", "logged metrics", "artifact save and download"],
    edited: [true, "finished"],
    runs: { r1: "finished", again: "finished", offline: "finished", r2: "failed" },
    chosen: [["r1"], ["again", "offline"], 1, ["config.yaml"], ["printed by the run"]],
    logged: ["v0", "v0", "v1", ["again", "best", "latest"], ["latest"]],
    down: ["a.txt", "large.bin", "sub/b ü.txt"],
    "same bytes": true,
    alpha: "alpha",
    draft: ["v2", ["a.txt", "large.bin", "new.txt", "sub/b ü.txt"]],
    mine: ["v2", ["latest", "mine"], { k: 1, more: 3 }, "r4"],
    versions: ["v2", "v1", "v0"],
    collections: ["data"],
    "by run": ["data:v0", "data:v1"],
    used: ["data:v0"],
    refused: {
      missing: expect.stringContaining("not found"),
      aliased: expect.stringContaining("the artifact has the alias again"),
      sweep: expect.stringContaining("sweeps are not supported: start the runs yourself"),
      agent: expect.stringContaining("sweeps are not supported: start the runs yourself"),
      reports: expect.stringContaining("reports are not supported (Project.allViews"),
      link: expect.stringContaining("links and the registry are not supported: give a version an alias"),
      field: expect.stringContaining("runs have no field host here"),
      foreign: expect.stringContaining("you have no access to this project"),
    },
    options: {
      tags: [],
      nested: [{ _step: 0, "loss.train": 0.5 }],
      "artifact tags": ["gold"],
      step: 0,
      "used by": ["r4"],
      project: "tracked",
      fork: expect.stringContaining("runs cannot be forked"),
      shared: expect.stringContaining("a run cannot be shared by several programs"),
      ttl: expect.stringContaining("ttlDurationSeconds is not supported: artifacts are kept"),
      order: expect.stringContaining("newest first"),
    },
    deleted: ["config.yaml"],
    "deleted with r5": false,
    left: [
      ["v2", "v1"],
      ["again", "offline", "r1", "r3", "r4"],
    ],
  });
  expect(server.stderr()).toBe("");
  await server.stop();
  expect(await server.ended).toBe(0);
});
