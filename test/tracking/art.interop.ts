// The openpipe-art package, unmodified, with W&B online: reinforcement learning with logging, supervised fine-tuning,
// pulling and forking checkpoints, and uploading an adapter. ART_PYTHON can name a Python that has the package.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ART } from "@assay/testing/art-packages";
import { pythonWith } from "@assay/testing/python";
import { serve } from "@assay/testing/training-server";
import { expect, onTestFinished, test } from "vitest";
import { newKey } from "./new-key.ts";

const run = promisify(execFile);

test.for(ART)(
  "openpipe-art $version with wandb 0.31.0 trains, logs, pulls, forks and uploads",
  async ({ wish }, { skip }) => {
    const { python, reason, folder, remove } = await pythonWith(wish);
    onTestFinished(remove);
    if (python === undefined) return skip(`skipped, because ${reason}`);
    const data = join(folder, "data");
    const key = await newKey(data, "default/art");
    const server = await serve(data);
    const { stdout } = await run(python, [join(import.meta.dirname, "art_client.py")], {
      cwd: folder,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        WANDB_BASE_URL: server.url,
        WANDB_API_KEY: key,
        // Otherwise it would download model prices.
        LITELLM_LOCAL_MODEL_COST_MAP: "True",
        PYTHONDONTWRITEBYTECODE: "1",
      },
      maxBuffer: 2 ** 26,
    });
    expect(JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? "null")).toEqual({
      entity: "default",
      "after sft": 1,
      "after rl": 3,
      pulled: ["tiny-model.bin"],
      "other bytes": true,
      "before fork": 0,
      // The step of the source checkpoint.
      forked: 3,
      "same answer": true,
      "own answer": true,
      run: { state: "finished", rows: expect.any(Number), rewarded: true },
      provenance: [["serverless-rl"], ["serverless-rl"], ["serverless-sft"]],
      versions: [["latest", "step3"], ["step2"], ["step1"]],
      data: ["guesser"],
      kept: [["latest", "step2"]],
      "run left": false,
    });
    expect(server.stderr()).toBe("");
    await server.stop();
    expect(await server.ended).toBe(0);
  },
);
