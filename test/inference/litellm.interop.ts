// litellm, unmodified, against `assay serve`: answers, streams, structured output, tools, responses and refusals.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { pythonWith } from "@assay/testing/python";
import { startAssay } from "@assay/testing/server";
import { expect, test } from "vitest";

// An undeclared dependency of litellm: it imports mcp when it is given tools.
const PACKAGES = ["litellm==1.110.2", "mcp==2.3.0"];
const run = promisify(execFile);

test("litellm 1.110.2 works as with other providers", async ({ skip }) => {
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
        // Uses the bundled price table instead of downloading one.
        LITELLM_LOCAL_MODEL_COST_MAP: "True",
      };
      const client = await run(python, [new URL("litellm_client.py", import.meta.url).pathname], { env });
      const result = JSON.parse(/^RESULT (.*)$/m.exec(client.stdout)?.[1] ?? "null");
      expect(result.text).not.toBe("");
      // The same seed gives the same text and usage in every call style.
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
