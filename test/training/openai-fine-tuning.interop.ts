// The openai package for Python, unmodified, fine-tunes on `assay serve` and chats with the resulting model.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { pythonWith } from "@assay/testing/python";
import { startAssay } from "@assay/testing/server";
import { expect, test } from "vitest";

const PACKAGES = ["openai==3.57.0"];
const run = promisify(execFile);

test("the openai package for Python uploads, fine-tunes, follows a job, chats and cancels", async ({
  skip,
}) => {
  const found = await pythonWith({ packages: PACKAGES, room: 0.3e9, variable: "OPENAI_PYTHON" });
  const { folder, python } = found;
  try {
    if (python === undefined) return skip(`skipped, because ${found.reason}`);
    const server = await startAssay(folder, { args: ["--api-key", "owner"] });
    try {
      const env = { ...process.env, OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "owner" };
      const client = await run(python, [new URL("openai_client.py", import.meta.url).pathname], { env });
      const result = JSON.parse(/^RESULT (.*)$/m.exec(client.stdout)?.[1] ?? "null");
      expect(result).toMatchObject({
        same: true,
        created: expect.stringMatching(/queued|running/),
        status: "succeeded",
        model: expect.stringMatching(/^ft:assay\/tiny:default\/fine-tuning:owl:[0-9a-f]{8}$/),
        metrics: 20,
        last: `New fine-tuned model created: ${result.model}`,
        checkpoints: [`${result.model}:ckpt-step-1`],
        answer: "hoo",
        filtered: [[true], [], []],
        listed: [false, true],
        deleted: true,
        refused: { code: "file_not_found", param: "training_file" },
        cancelled: "cancelled",
      });
    } finally {
      await server.stop();
    }
  } finally {
    await found.remove();
  }
});
