// The command as a process: signals, pipes, and a server that other commands go through.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { evaluationLines, rowLines } from "@assay/testing/calls";
import { afterEach, describe, expect, test } from "vitest";
import { assay, folder } from "./run-in-process.ts";

// The bundle that users run; npm test builds it first.
const command = fileURLToPath(new URL("../bundle/assay.js", import.meta.url));

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function start(args: readonly string[], env: { readonly [name: string]: string } = {}, shell?: string) {
  const child = spawn(shell ?? process.execPath, shell === undefined ? [command, ...args] : args, {
    env: { ...process.env, ASSAY_DATA: "", ASSAY_PORT: "", ASSAY_API_KEY: "", ...env },
  });
  children.push(child);
  const text = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    text.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    text.stderr += chunk;
  });
  const ended = once(child, "close").then(([exitCode]) => ({ exitCode: exitCode as number | null, ...text }));
  /** Resolves with the match of `pattern` in stdout. */
  const saying = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(text.stdout)?.[1];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on("data", look);
      look();
      void ended.then(() => reject(new Error(`ended with: ${text.stdout}${text.stderr}`)));
    });
  return { child, ended, saying };
}

const ADDRESS = /answers at (http:\S+)/;

function examples(home: string): string {
  const directory = join(home, "examples", "small", "data");
  mkdirSync(directory, { recursive: true });
  const lines = [
    ...evaluationLines("first", [true, false, true]),
    ...evaluationLines("second", [true, true, false], 1000),
  ];
  writeFileSync(join(directory, "calls.jsonl"), lines.join("\n"));
  writeFileSync(join(directory, "rows.jsonl"), rowLines(3).join("\n"));
  return join(home, "examples");
}

describe("assay serve", () => {
  test("answers, serves other commands, and shuts down gracefully", async () => {
    const home = folder();
    const data = join(home, "data");
    const server = start(["serve", "--data", data, "--port", "0"]);
    const url = await server.saying(ADDRESS);
    for (const path of ["/v1/health", "/v1/health/ready"])
      expect(await (await fetch(`${url}${path}`)).json()).toEqual({ status: "ok" });

    const calls = join(home, "calls.jsonl");
    writeFileSync(
      calls,
      [...evaluationLines("one", [true, false]), "nope", ...evaluationLines("two", [true])].join("\n"),
    );
    const imported = await assay(["import", "acme/demo", calls, "--data", data]);
    expect(imported).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining(`imported 5 calls into acme/demo (${url})`),
      stderr: expect.stringContaining(`${calls}:4: not JSON`),
    });
    const listed = await assay(["evaluations", "acme/demo", "--data", data]);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { id: "one", rows: 2 },
      { id: "two", rows: 1 },
    ]);

    const body = { evaluation_call_ids: ["one"], limit: 1 };
    const file = join(home, "body.json");
    writeFileSync(file, JSON.stringify(body));
    const queried = await assay(["query", "acme/demo", file, "--data", data]);
    const overHttp = await fetch(`${url}/v2/acme/demo/eval_results/query`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(queried.stdout).toBe(`${await overHttp.text()}\n`);
    writeFileSync(file, JSON.stringify({ limit: -1 }));
    const refused = await assay(["query", "acme/demo", file, "--data", data]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("limit:") });

    const second = await assay(["serve", "--data", data, "--port", "0"]);
    expect(second).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(url) });
    expect(second.stderr.trim().split("\n")).toHaveLength(1);

    server.child.kill("SIGTERM");
    expect(await server.ended).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse((await assay(["evaluations", "acme/demo", "--data", data])).stdout)).toHaveLength(2);
  });

  test("admits requests with the key, and tells others how to send one", async () => {
    const data = join(folder(), "data");
    const key = { ASSAY_API_KEY: "K3Y", ASSAY_DATA: data };
    const server = start(["serve", "--port", "0"], key);
    const url = await server.saying(ADDRESS);
    expect((await fetch(`${url}/v2/a/b/eval_results/evaluations`)).status).toBe(401);
    const basic = { Authorization: `Basic ${btoa("api:K3Y")}` };
    expect((await fetch(`${url}/v2/a/b/eval_results/evaluations`, { headers: basic })).status).toBe(200);
    const without = await assay(["evaluations", "a/b"], { env: { ASSAY_DATA: data } });
    expect(without).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("set ASSAY_API_KEY") });
    const empty = ["evaluations", "a/b", "--allow-missing"];
    expect(await assay(empty, { env: key })).toMatchObject({ exitCode: 0, stdout: "[]\n" });

    const port = new URL(url).port;
    const other = await assay(["serve", "--port", port], {
      env: { ...key, ASSAY_DATA: join(folder(), "data") },
    });
    expect(other).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(new RegExp(`port ${port}.*--port`)),
    });
  });
});

test("assay watch shows an evaluation while clients log it, and ends when it has ended", async () => {
  const data = join(folder(), "data");
  const server = start(["serve", "--data", data, "--port", "0"]);
  const url = await server.saying(ADDRESS);
  const log = async (mode: "start" | "end", piece: object) => {
    const response = await fetch(`${url}/call/${mode}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ [mode]: { project_id: "acme/demo", ...piece } }),
    });
    expect(response.status).toBe(200);
  };
  const begin = (id: string, op_name: string, parent_id: string | null) =>
    log("start", {
      ...{ id, op_name, parent_id, trace_id: "t", started_at: "2026-01-01T00:00:00Z" },
      ...{ attributes: {}, inputs: { example: { id } }, display_name: id },
    });
  const finish = (id: string, output: object) =>
    log("end", { id, ended_at: "2026-01-01T00:00:01Z", output, summary: {} });

  await begin("run", "Evaluation.evaluate", null);
  const watch = start(["watch", "acme/demo", "run", "--data", data]);
  await watch.saying(/"trial_count":(0)/);
  await begin("one", "Evaluation.predict_and_score", "run");
  await finish("one", { output: "x", scores: { right: true } });
  await watch.saying(/"trial_count":1.*"pass_rate":(1)/);
  await finish("run", {});
  const { exitCode, stdout, stderr } = await watch.ended;
  expect([exitCode, stderr]).toEqual([0, ""]);
  const last = JSON.parse(stdout.trimEnd().split("\n").at(-1)!);
  expect(last).toMatchObject([
    { evaluation_call_id: "run", ended_at: "2026-01-01T00:00:01Z", trial_count: 1 },
  ]);

  const onTerminal = await assay(["watch", "acme/demo", "run", "--data", data], { columns: 80 });
  expect(onTerminal).toMatchObject({
    exitCode: 0,
    stdout: "run: ended, 1 trials\n  right: 100.0% (1/1)\n",
  });
  server.child.kill("SIGTERM");
  expect(await server.ended).toMatchObject({ exitCode: 0, stderr: "" });
  const alone = await assay(["watch", "acme/demo", "run", "--data", data], { columns: 80 });
  expect(alone.stdout).toBe(onTerminal.stdout);
  expect(alone.stderr).toContain("no server has");
});

test("assay demo shows a first comparison, serves it, and reuses the data the second time", async () => {
  const home = folder();
  const args = ["demo", "--examples", examples(home), "--data", join(home, "data"), "--port", "0"];
  const first = start(args);
  const url = await first.saying(ADDRESS);
  const meanwhile = await assay(args);
  expect(meanwhile).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`already answers at ${url}`),
  });
  first.child.kill("SIGINT");
  const { exitCode, stdout, stderr } = await first.ended;
  expect(exitCode).toBe(0);
  expect(stderr).toContain("loaded 8 calls");
  expect(stdout).toMatch(/│ first +│ second/);
  expect(stdout).toContain("66.7% (2/3)");
  expect(stdout).toContain(`curl -s ${url}/v2/examples/small/eval_results/query`);
  expect(stdout).toContain(`${url}/#/examples/small/compare`);
  expect(stdout).toContain(`compare examples/small --data ${join(home, "data")}\n`);

  const second = start(args);
  await second.saying(ADDRESS);
  second.child.kill("SIGTERM");
  expect(await second.ended).toMatchObject({ exitCode: 0, stderr: "" });
});

test.skipIf(process.platform === "win32")(
  "a deleted working directory matters only to relative paths",
  async () => {
    const [home, gone] = [folder(), folder()];
    const run = (args: string) =>
      start(
        [
          "-c",
          `cd '${gone}' && rmdir '${gone}' && '${process.execPath}' '${command}' ${args}; e=$?; mkdir '${gone}'; exit $e`,
        ],
        {},
        "sh",
      ).ended;
    expect(await run(`config --data '${home}'`)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await run("evaluations acme/demo")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("not found: .assay"),
    });
  },
);

describe.skipIf(process.platform !== "linux")("unwritable output", () => {
  /** Runs the command with its standard output or error on a full disk. */
  function onFullDisk(args: readonly string[], full: "stdout" | "stderr") {
    const disk = openSync("/dev/full", "w");
    const stdio =
      full === "stdout" ? (["ignore", disk, "pipe"] as const) : (["ignore", "pipe", disk] as const);
    const child = spawn(process.execPath, [command, ...args], { stdio: [...stdio] });
    closeSync(disk);
    children.push(child);
    let output = "";
    (child.stdout ?? child.stderr)!.on("data", (piece) => {
      output += piece;
    });
    return {
      child,
      output: () => output,
      ended: once(child, "close").then(([exitCode]) => exitCode as number | null),
    };
  }

  test("on a full disk ends a command that prints, with the reason", async () => {
    const { ended, output } = onFullDisk(["config"], "stdout");
    expect([await ended, output()]).toEqual([1, "assay: standard output: no space left on the disk\n"]);
  });

  test("does not end a server, neither on a full disk nor with a closed reader", async () => {
    const args = ["serve", "--log", "--port", "0", "--data"];
    const full = onFullDisk([...args, join(folder(), "data")], "stderr");
    const unread = start([...args, join(folder(), "data")]);
    await expect.poll(full.output, { timeout: 20_000 }).toMatch(ADDRESS);
    const urls = [ADDRESS.exec(full.output())![1], await unread.saying(ADDRESS)];
    unread.child.stderr.destroy();
    unread.child.stdout.destroy();
    for (const url of urls)
      for (let i = 0; i < 3; i++) expect((await fetch(`${url}/v1/models`)).status).toBe(200);
    for (const { child, ended } of [full, unread]) {
      child.kill("SIGTERM");
      const end = await ended;
      expect(typeof end === "object" ? end?.exitCode : end).toBe(0);
    }
  });
});
