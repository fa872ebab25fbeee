// The openpipe-art package, unmodified, trains against a data directory that is served. It is installed into a
// temporary virtual environment; ART_PYTHON and ART_PYTHON_BEFORE can name a Python that has the newest and the
// previous version.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ART } from "@assay/testing/art-packages";
import { pythonWith } from "@assay/testing/python";
import { serve } from "@assay/testing/training-server";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);

interface Result {
  readonly steps: readonly number[];
  readonly rewards: readonly number[];
  readonly gradients: readonly number[];
  readonly [name: string]: unknown;
}

test.for(ART)(
  "openpipe-art $version registers a model, samples, trains and reads checkpoints",
  async ({ wish }, { skip }) => {
    const { python, reason, folder, remove } = await pythonWith(wish);
    onTestFinished(remove);
    if (python === undefined) return skip(`skipped, because ${reason}`);
    const server = await serve(join(folder, "data"));
    const { stdout } = await run(python, [join(import.meta.dirname, "art_client.py")], {
      cwd: folder,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        ASSAY_URL: server.url,
        // Otherwise it would download model prices.
        LITELLM_LOCAL_MODEL_COST_MAP: "True",
        PYTHONDONTWRITEBYTECODE: "1",
      },
      maxBuffer: 2 ** 26,
    });
    const result = JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? "null") as Result;
    expect(result).toMatchObject({
      entity: "default",
      before: 0,
      // Step 1 is the fine-tuning job.
      steps: [2, 3],
      listed: [1, 2, 3],
      kept: [3],
      latest: 3,
      refused: expect.stringContaining("has no choice"),
    });
    for (const count of result.gradients) expect(count).toBeGreaterThan(0);
    expect(["low", "mid", "high"]).toContain(result["first"]);
    // The chance level is a third; two steps improve on it.
    expect(result.rewards.at(-1)).toBeGreaterThan(result.rewards[0]! + 0.1);
    expect(server.stderr()).toBe("");
    await server.stop();
    expect(await server.ended).toBe(0);
  },
);
