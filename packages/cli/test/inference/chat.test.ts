// Chats and usage from the command line, and models behind `assay serve`: remote engines, the tiny model, and trained
// models.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { assay, folder } from "../run-in-process.ts";
import { serving } from "./server.ts";

const talk = (data: string, args: readonly string[] = [], stdin = "hi\n\nand you?\n") =>
  assay(["chat", "assay/tiny", "--seed", "3", "--max-tokens", "6", "--data", data, ...args], { stdin });

const usageOf = async (data: string, args: readonly string[] = []) =>
  JSON.parse((await assay(["usage", "--data", data, ...args])).stdout);

describe("assay chat", () => {
  test("answers the same on a directory and through its server, and each turn is counted", {
    tags: ["long"],
  }, async () => {
    const here = folder();
    const alone = await talk(here, ["--project", "acme/demo"]);
    expect(alone).toMatchObject({ exitCode: 0, stderr: "" });
    expect(alone.stdout.split("\n")).toHaveLength(3);
    const { data, stop } = await serving();
    const served = await talk(data, ["--project", "acme/demo"]);
    expect(served.stdout).toBe(alone.stdout);

    const row = { entity: "acme", project: "demo", model: "assay/tiny", requests: 2, aborted: 0, failed: 0 };
    expect(await usageOf(here)).toMatchObject([row]);
    expect(await usageOf(data, ["acme/demo"])).toMatchObject([row]);
    expect(await usageOf(data, ["acme/other"])).toEqual([]);
    expect(await stop()).toBe("");
    // The usage recorded by the server is available without it.
    expect(await usageOf(data, ["--by", "day,key"])).toMatchObject([{ requests: 2, key: "local" }]);
  });

  test("answers a message argument like a line of input", async () => {
    const args = ["chat", "assay/tiny", "--seed", "3", "--max-tokens", "6", "--data", folder()];
    const ofLine = await assay(args, { stdin: "hi\n" });
    expect(await assay([...args, "hi"], { stdin: "not read\n", columns: 80 })).toEqual(ofLine);
    expect(ofLine.stdout).not.toBe("");
  });

  test("prompts on a terminal, and removes terminal escapes from answers", async () => {
    const ended = await assay(["chat", "assay/tiny", "--data", folder(), "--max-tokens", "200"], {
      stdin: "hi\n",
      columns: 80,
    });
    expect(ended.stdout).toMatch(/^> .*\n> \n$/s);
    expect(ended.stdout).not.toMatch(/[^\P{Cc}\n\t]/u);
  });

  test("names an unknown model and the existing ones", async () => {
    const ended = await assay(["chat", "org/nobody", "--data", folder()], { stdin: "hi\n" });
    expect(ended).toMatchObject({
      exitCode: 1,
      stderr: "assay: model not found: org/nobody; available: assay/tiny\n",
    });
  });

  test("reports faults of a request by field", async () => {
    const ended = await talk(folder(), ["--temperature", "7"]);
    expect(ended).toMatchObject({
      exitCode: 2,
      stderr: "assay: temperature: must be a number from 0 to 2\n",
    });
  });

  test("can be stopped in the middle of an answer", async () => {
    const controller = new AbortController();
    const ended = await assay(["chat", "assay/tiny", "--data", folder(), "--max-tokens", "4000"], {
      stdin: "hi\n".repeat(10_000),
      signal: controller.signal,
      onOutput: (text) => text.length > 10 && controller.abort(),
    });
    expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  });
});

test("assay usage shows a table on a terminal, of all projects or those of an entity, and lists the values of --by", async () => {
  const data = folder();
  await talk(data);
  const table = await assay(["usage", "--by", "model,day", "--data", data], { columns: 120 });
  expect(table.stdout).toMatch(/default\/default .* assay\/tiny /);
  const rows = async (...args: readonly string[]) =>
    JSON.parse((await assay(["usage", ...args, "--by", "month", "--data", data])).stdout);
  expect(await rows("default")).toMatchObject([
    { project: "default", month: expect.stringMatching(/^\d{4}-\d{2}$/) },
  ]);
  expect(await rows("acme")).toEqual([]);
  expect(await assay(["usage", "--by", "colour", "--data", data])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--by takes month, day, model, step, key, user"),
  });
  expect(await assay(["usage", "--from", "yesterday", "--data", data])).toMatchObject({ exitCode: 2 });
});

describe("assay serve --upstreams", () => {
  const file = (text: string) => {
    const path = join(folder(), "engines.yaml");
    writeFileSync(path, text);
    return path;
  };

  test("serves the engines in the file and the tiny model", async () => {
    // Any OpenAI-compatible engine works, such as another Assay.
    const engine = await serving(["--api-key", "engine-key"]);
    const path = file(`
upstreams:
  - name: elsewhere
    url: ${engine.url}/v1
    key_env: ENGINE_KEY
    models:
      org/remote: assay/tiny
`);
    const { url, data } = await serving([], { env: { ASSAY_UPSTREAMS: path, ENGINE_KEY: "engine-key" } });
    const models = (await (await fetch(`${url}/v1/models`)).json()) as { data: { id: string }[] };
    expect(models.data.map(({ id }) => id)).toEqual(["org/remote", "assay/tiny"]);
    const near = await talk(data);
    const far = await assay(["chat", "org/remote", "--seed", "3", "--max-tokens", "6", "--data", data], {
      stdin: "hi\n\nand you?\n",
    });
    expect(far).toMatchObject({ exitCode: 0, stderr: "", stdout: near.stdout });
    expect(await usageOf(data)).toMatchObject([
      { model: "assay/tiny" },
      { model: "org/remote", requests: 2 },
    ]);
  });

  test("refuses an invalid file and names every invalid line", async () => {
    const path = file("upstreams:\n  - name: gpu\n    url: nowhere\n    models: {}\n");
    const ended = await assay(["serve", "--data", folder(), "--port", "0", "--upstreams", path]);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain(`${path}: line 3, column 5: url must be`);
    expect(ended.stderr).toContain("line 4, column 5: models must be");
    expect(await assay(["serve", "--data", folder(), "--upstreams", `${path}x`])).toMatchObject({
      exitCode: 1,
      stderr: `assay: ${path}x: no such file or directory\n`,
    });
  });
});
