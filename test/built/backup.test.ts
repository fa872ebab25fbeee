// `assay backup` and `assay restore` in the built command: a consistent snapshot under load, verified, and restored
// completely or not at all.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { assay } from "@assay/testing/command";
import { startAssay } from "@assay/testing/server";
import { COMMAND } from "@assay/testing/spawn.mjs";
import { logArtifact, wireClient } from "@assay/testing/wire-client";
import { expect, onTestFinished, test } from "vitest";

const P = "acme/demo";
const KEY = "0123456789abcdef0123456789abcdef01234567";

function home(): string {
  const path = mkdtempSync(join(tmpdir(), "assay-backup-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function imported(data: string, ...evaluations: readonly string[]): Promise<void> {
  const stdin = evaluations.flatMap((id) => evaluationLines(id, [true, false])).join("\n");
  expect((await assay(["import", P, "-", "--data", data], { stdin })).exitCode).toBe(0);
}

/** The server's responses about its data; of evaluations, only the given ones. */
async function answersOf(url: string, evaluations: readonly string[]): Promise<readonly unknown[]> {
  const headers = { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ evaluation_call_ids: evaluations, include_summary: true });
  const paths: readonly (readonly [string, RequestInit?])[] = [
    [`/v2/${P}/eval_results/query`, { method: "POST", body }],
    ["/v1/keys"],
    [`/v1/usage?entity=acme&project=demo`],
    ["/v1/preview/models"],
    [`/v2/${P}/runs/gone-on/history`],
  ];
  return Promise.all(
    paths.map(async ([path, init]) => {
      const answer = await fetch(`${url}${path}`, { headers, ...init });
      return [path, answer.status, await answer.text()];
    }),
  );
}

test("a backup under load contains everything acknowledged before it, and gives the same answers", async () => {
  const folder = home();
  const [data, backup, restored] = ["data", "backup", "restored"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await imported(data, "e0", "e1");
  const server = await startAssay(data, { env: { ASSAY_API_KEY: KEY } });
  onTestFinished(() => server.stop("SIGKILL"));
  const headers = { Authorization: `Bearer ${KEY}`, "Content-Type": "application/x-ndjson" };
  const post = async (path: string, body: string, type = "application/json") => {
    const sent = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": type },
      body,
    });
    expect(sent.status, path).toBe(200);
    return (await sent.json()) as { readonly id: string; readonly key?: string };
  };
  const narrow = await post("/v1/keys", JSON.stringify({ name: "team", scopes: ["acme/*"] }));
  const client = wireClient(server.url, KEY);
  await client.mutate(
    "upsertBucket",
    { entityName: "acme", modelName: "demo", name: "gone-on" },
    "bucket { id }",
  );
  const content = [JSON.stringify({ _step: 0, loss: 0.5 })];
  await client.send("POST", "/files/acme/demo/gone-on/file_stream", {
    files: { "wandb-history.jsonl": { offset: 0, content } },
  });
  const files = { "own.txt": "bytes of an artifact" };
  await logArtifact(client, { entity: "acme", project: "demo", name: "data", files, aliases: ["latest"] });
  const chat = () =>
    post(
      "/v1/chat/completions",
      JSON.stringify({ model: "assay/tiny", messages: [{ role: "user", content: "hi" }], max_tokens: 3 }),
    );
  await chat();

  // Writers log evaluations continuously, and record the acknowledged ones.
  const acknowledged: string[] = ["e0", "e1"];
  let isOver = false;
  let sent = 2;
  const writers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const id = `e${sent++}`;
      await post(
        `/v2/${P}/calls/import`,
        evaluationLines(id, [true, false]).join("\n"),
        "application/x-ndjson",
      );
      acknowledged.push(id);
    }
  });
  while (acknowledged.length < 12) await new Promise((resolve) => setTimeout(resolve, 5));
  const before = acknowledged.slice();
  const answered = await answersOf(server.url, before);
  expect(answered.map((answer) => (answer as readonly unknown[])[1])).toEqual([200, 200, 200, 200, 200]);
  const made = await assay(["backup", backup, "--data", data, "--api-key", KEY]);
  expect(made).toMatchObject({ exitCode: 0, stderr: "", stdout: expect.stringContaining(backup) });
  // The writers continue during the copy: more than a hundred calls in total.
  while (acknowledged.length < 50) await new Promise((resolve) => setTimeout(resolve, 5));
  isOver = true;
  await Promise.all(writers);
  const narrowly = await assay(["backup", `${backup}-2`, "--data", data, "--api-key", narrow.key!]);
  expect(narrowly).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("only a key for everything"),
  });
  await server.stop("SIGTERM");

  for (const path of [backup, ...readdirSync(backup).map((name) => join(backup, name))])
    expect(statSync(path).mode & 0o077, path).toBe(0);
  const done = await assay(["restore", backup, "--data", restored]);
  expect(done).toMatchObject({ exitCode: 0, stderr: "" });
  const again = await startAssay(restored, { env: { ASSAY_API_KEY: KEY } });
  onTestFinished(() => again.stop("SIGKILL"));
  expect(await answersOf(again.url, before)).toEqual(answered);
  const listed = await fetch(`${again.url}/v2/${P}/eval_results/evaluations`, { headers });
  const { evaluations } = (await listed.json()) as {
    readonly evaluations: readonly { readonly id: string }[];
  };
  expect(evaluations.map(({ id }) => id)).toEqual(expect.arrayContaining(before));
  await again.stop("SIGTERM");
  expect(again.stderr()).toBe("");
  const looked = await assay(["doctor", "--data", restored]);
  expect(looked).toMatchObject({ exitCode: 0, stderr: "" });
  expect(holds(restored, "bytes of an artifact")).toBe(true);
});

function holds(folder: string, text: string): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text));
}

test("a backup with a changed file is refused with the file's name, and nothing is restored", async () => {
  const folder = home();
  const [data, backup, restored] = [join(folder, "data"), join(folder, "backup"), join(folder, "restored")];
  await imported(data, "one");
  expect(await assay(["backup", backup, "--data", data])).toMatchObject({ exitCode: 0, stderr: "" });
  const refused = async (name: string) => {
    const { exitCode, stderr } = await assay(["restore", backup, "--data", restored]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(name)]);
    expect(readdirSync(folder).filter((entry) => entry.startsWith("restored"))).toEqual([]);
  };
  const names = readdirSync(backup);
  expect(names).toEqual(expect.arrayContaining(["backup.json", "calls.jsonl", "redo.log"]));
  for (const name of names) {
    const path = join(backup, name);
    const bytes = readFileSync(path);
    if (bytes.length === 0) continue;
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    await refused(name);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
  }
  const calls = join(backup, "calls.jsonl");
  cpSync(calls, `${calls}.whole`);
  truncateSync(calls, 10);
  await refused("calls.jsonl has 10 bytes");
  rmSync(calls);
  await refused("calls.jsonl is missing");
  renameSync(`${calls}.whole`, calls);
  await imported(restored, "two");
  const full = await assay(["restore", backup, "--data", restored]);
  expect(full).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("is not empty") });
  const over = await assay(["backup", backup, "--data", data]);
  expect(over).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("is not empty") });
  // A directory may exist already, for example as a mount point.
  const empty = join(folder, "empty");
  mkdirSync(empty);
  expect(await assay(["restore", backup, "--data", empty])).toMatchObject({ exitCode: 0, stderr: "" });
  const listed = await assay(["evaluations", P, "--data", empty, "--format", "json"]);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: "one", trials: 2 }]);
});

test("an interrupted or killed backup leaves its destination free", async () => {
  const folder = home();
  const [data, backup] = [join(folder, "data"), join(folder, "backup")];
  await imported(data, "one", "two");
  const server = await startAssay(data);
  onTestFinished(() => server.stop("SIGKILL"));
  // Forwards the first part of the archive; then it disconnects, or stalls.
  let ends = true;
  let passed = (): void => {};
  const half = createServer(async (request, response) => {
    const whole = Buffer.from(await (await fetch(`${server.url}${request.url}`)).arrayBuffer());
    response.write(whole.subarray(0, whole.length - 3000), () => {
      if (ends) response.destroy();
      passed();
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void half.close());
  await once(half, "listening");
  const url = `http://127.0.0.1:${(half.address() as AddressInfo).port}`;

  const broken = await assay(["backup", backup, "--server", url, "--data", data]);
  expect(broken).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("closed the connection") });
  expect(readdirSync(folder)).toEqual(["data"]);

  ends = false;
  const halfWay = new Promise<void>((resolve) => {
    passed = resolve;
  });
  const child = spawn(process.execPath, [COMMAND, "backup", backup, "--server", url, "--data", data]);
  const ended = once(child, "exit");
  await halfWay;
  const partialOf = () => readdirSync(folder).find((name) => name.startsWith("backup.partial-"));
  while (partialOf() === undefined || !readdirSync(join(folder, partialOf()!)).includes("calls.jsonl"))
    await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill("SIGKILL");
  await ended;
  const partial = partialOf()!;
  expect(readdirSync(folder).sort()).toEqual([partial, "data"]);
  const refused = await assay(["restore", join(folder, partial), "--data", join(folder, "restored")]);
  // The manifest comes last: it is missing or incomplete.
  const why = expect.stringMatching(/is not a backup|backup\.json is damaged/);
  expect(refused).toMatchObject({ exitCode: 1, stderr: why });
  expect(await assay(["backup", backup, "--data", data])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(server.stderr()).toBe("");
});
