// litellm, unmodified, against `assay serve`: answers, streams, forms, tools, responses and refusals.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { pythonWith } from "@assay/testing/python";
import { startAssay } from "@assay/testing/server";
import { expect, test } from "vitest";

// litellm brings mcp in when it is given tools, and does not say so.
const PACKAGES = ["litellm==1.110.2", "mcp==2.3.0"];
const run = promisify(execFile);

test("litellm 1.110.2 gets what it asks for, as the client that it is for others", async ({ skip }) => {
  const found = await pythonWith({ packages: PACKAGES, room: 0.6e9, variable: "LITELLM_PYTHON" });
  const { folder, python } = found;
  try {
    if (python === undefined) return skip(`skipped, because ${found.reason}`);
    const server = await startAssay(folder, { args: ["--api-key", "owner"] });
    try {
      const env = {
        ...process.env,
        OPENAI_BASE_URL: `${server.url}/v1`,
        OPENAI_API_KEY: "owner",
        // Its table of prices is the one that it comes with: nothing is fetched from elsewhere.
        LITELLM_LOCAL_MODEL_COST_MAP: "True",
      };
      const client = await run(python, [new URL("litellm_client.py", import.meta.url).pathname], { env });
      const result = JSON.parse(/^RESULT (.*)$/m.exec(client.stdout)?.[1] ?? "null");
      expect(result.text).not.toBe("");
      // The same seed says the same, however it is asked for, and the same is counted.
      expect([result.streamed, result.later]).toEqual([result.text, result.text]);
      expect(result.usage[0]).toBeGreaterThan(0);
      expect(result.streamed_usage).toEqual(result.usage);
      expect(["length", "stop"]).toContain(result.reason);
      expect(["cat", "owl"]).toContain(result.animal.animal);
      expect(result.call).toEqual(["look", { animal: expect.stringMatching(/^(cat|owl)$/) }]);
      expect(["completed", "incomplete"]).toContain(result.response);
      expect(result.refusals).toEqual([
        { kind: "NotFoundError", status: 404 },
        { kind: "BadRequestError", status: 422 },
        { kind: "AuthenticationError", status: 401 },
      ]);
    } finally {
      await server.stop();
    }
  } finally {
    await found.remove();
  }
});
