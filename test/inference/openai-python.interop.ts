// The openai package for Python, unmodified, against `assay serve`: answers, streams, refusals, and recorded usage.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { pythonWith } from "@assay/testing/python";
import { startAssay } from "@assay/testing/server";
import { expect, test } from "vitest";

const PACKAGES = ["openai==3.57.0"];
const run = promisify(execFile);

test("the openai package for Python works, and the server records all usage", async ({ skip }) => {
  const found = await pythonWith({ packages: PACKAGES, room: 0.3e9, variable: "OPENAI_PYTHON" });
  const { folder, python } = found;
  try {
    if (python === undefined) return skip(`skipped, because ${found.reason}`);
    const server = await startAssay(folder, { args: ["--api-key", "owner"] });
    const owner = { authorization: "Bearer owner", "content-type": "application/json" };
    try {
      const made = await fetch(`${server.url}/v1/keys`, {
        method: "POST",
        headers: owner,
        body: JSON.stringify({ name: "python", scopes: ["team/demo"] }),
      });
      const { key } = (await made.json()) as { key: string };
      const env = { ...process.env, OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: key };
      const client = await run(python, [new URL("client.py", import.meta.url).pathname], { env });
      const result = JSON.parse(/^RESULT (.*)$/m.exec(client.stdout)?.[1] ?? "null");

      expect(result.models).toEqual(["assay/tiny"]);
      expect(result.whole).toMatchObject({ roles: ["assistant", "assistant"], top: [2, 2] });
      const [one, two] = result.whole.tokens;
      expect(result.whole.usage.completion_tokens).toBe(one + two);
      // The same seed gives the same text in every call style.
      expect(result.chunks.text).toBe(result.whole.texts[0]);
      expect(result.helper).toBe(result.whole.texts[0]);
      expect(result.chunks).toMatchObject({ reasons: [result.whole.reasons[0]], usage: one });
      expect(result.refusals).toEqual([
        {
          kind: "NotFoundError",
          status: 404,
          message: "The requested resource was not found; base models here: assay/tiny",
        },
        {
          kind: "UnprocessableEntityError",
          status: 422,
          message: "temperature: must be a number from 0 to 2",
        },
        { kind: "AuthenticationError", status: 401, message: "Authentication failed" },
        { kind: "AuthenticationError", status: 401, message: "Authentication failed" },
      ]);

      // The client aborted the last answer; the server records it once the model has stopped.
      const usage = async () => {
        const response = await fetch(`${server.url}/v1/usage?entity=team&project=demo`, { headers: owner });
        return ((await response.json()) as { data: unknown[] }).data;
      };
      await expect.poll(usage, { timeout: 10_000 }).toMatchObject([{ requests: 4, aborted: 1, failed: 0 }]);
    } finally {
      await server.stop();
    }
  } finally {
    await found.remove();
  }
});
