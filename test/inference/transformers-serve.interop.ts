// `transformers serve`, unmodified, as an upstream of `assay serve`: a small random model answers through it, whole and
// streamed, and passes the same strict checks as any other.

import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { pythonWith } from "@assay/testing/python";
import { startAssay } from "@assay/testing/server";
import { expect, test } from "vitest";
import { start } from "./process.ts";

const PACKAGES = ["torch==2.13.0", "transformers[serving]==5.22.2"];
/** The disk space in bytes for installing torch with CUDA from the package registry. */
const ROOM = 12e9;
const run = promisify(execFile);

interface Chunk {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: { readonly role?: string; readonly content?: string };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: { readonly completion_tokens: number };
}

test("transformers serve works as an upstream", { timeout: 3_000_000 }, async ({ skip }) => {
  const found = await pythonWith({ packages: PACKAGES, room: ROOM, variable: "TRANSFORMERS_PYTHON" });
  const { folder, python } = found;
  const running: { readonly stop: () => Promise<unknown> }[] = [];
  try {
    if (python === undefined) return skip(`skipped, because ${found.reason}`);
    const model = join(folder, "model");
    await mkdir(model);
    const env = { HF_HUB_OFFLINE: "1", HF_HOME: join(folder, "hub"), PYTHONDONTWRITEBYTECODE: "1" };
    const script = new URL("random-model.py", import.meta.url).pathname;
    await run(python, [script, model], { env: { ...process.env, ...env } });
    const port = String(20_000 + (process.pid % 20_000));
    const cli = ["-m", "transformers.cli.transformers", "serve", model, "--port", port, "--device", "cpu"];
    running.push(await start(python, cli, env, /(Uvicorn running)/));
    const file = join(folder, "engines.yaml");
    await writeFile(
      file,
      `upstreams:
  - name: transformers
    url: http://127.0.0.1:${port}/v1
    models: { org/random: "${model}", org/missing: "${join(folder, "nowhere")}" }
`,
    );
    const server = await startAssay(join(folder, "data"), { args: ["--upstreams", file] });
    running.push(server);
    const { url } = server;
    const ask = (body: object) =>
      fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          model: "org/random",
          messages: [{ role: "user", content: "hello" }],
          max_tokens: 8,
          temperature: 0,
          ...body,
        }),
      });

    const whole = await ask({});
    expect(whole.status).toBe(200);
    const answer = (await whole.json()) as {
      choices: { message: { content: string } }[];
      usage: { completion_tokens: number };
    };
    expect(answer).toMatchObject({
      object: "chat.completion",
      model: "org/random",
      choices: [{ index: 0, message: { role: "assistant" }, finish_reason: "length" }],
      usage: { completion_tokens: 8 },
    });

    const text = await (await ask({ stream: true, stream_options: { include_usage: true } })).text();
    const events = text.trim().split("\n\n");
    expect(events.at(-1)).toBe("data: [DONE]");
    const chunks = events.slice(0, -1).map((event): Chunk => JSON.parse(event.slice("data: ".length)));
    expect(new Set(chunks.map(({ id, model }) => `${id} ${model}`)).size).toBe(1);
    const choices = chunks.flatMap((chunk) => chunk.choices);
    expect(choices[0]?.delta.role).toBe("assistant");
    expect(choices.every(({ index }) => index === 0)).toBe(true);
    expect(choices.filter(({ finish_reason }) => finish_reason !== null)).toHaveLength(1);
    expect(choices.map(({ delta }) => delta.content ?? "").join("")).toBe(answer.choices[0]?.message.content);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 8 } });

    // If the engine cannot load its model, the request fails; no other model answers.
    const missing = await ask({ model: "org/missing" });
    expect(missing.status).toBeGreaterThanOrEqual(400);
    expect(await missing.json()).toMatchObject({ error: { message: expect.any(String) } });

    const usage = (await (await fetch(`${url}/v1/usage?group_by=model`)).json()) as { data: unknown[] };
    expect(usage.data).toContainEqual(
      expect.objectContaining({ model: "org/random", requests: 2, generated_tokens: 16, estimated: 0 }),
    );
  } finally {
    for (const one of running.toReversed()) await one.stop();
    await found.remove();
  }
});
