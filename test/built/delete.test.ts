// `assay delete` in the built command: it deletes nothing without --yes, leaves nothing behind with it, and is atomic
// if it is killed.

import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluationLines } from "@assay/testing/calls";
import { assay } from "@assay/testing/command";
import { startAssay } from "@assay/testing/server";
import { spawnAssay } from "@assay/testing/spawn.mjs";
import { logArtifact, wireClient } from "@assay/testing/wire-client";
import { expect, onTestFinished, test } from "vitest";

const P = "acme/demo";

async function directory(...evaluations: readonly string[]): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "assay-delete-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const data = join(home, "data");
  for (const id of evaluations) {
    const lines = evaluationLines(id, [true, false]).map((line) =>
      JSON.stringify({ ...(JSON.parse(line) as object), attributes: { note: `${id}-secret` } }),
    );
    expect((await assay(["import", P, "-", "--data", data], { stdin: lines.join("\n") })).exitCode).toBe(0);
  }
  return data;
}

function holds(data: string, text: string): boolean {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text));
}

test("shows what it would delete, deletes it with --yes, and names what does not exist", async () => {
  const data = await directory("one", "two");
  const unsure = await assay(["delete", P, "one", "--data", data]);
  expect([unsure.exitCode, unsure.stderr]).toEqual([2, expect.stringContaining("--yes")]);
  expect(holds(data, "one-secret")).toBe(true);
  const wrong = await assay(["delete", P, "onne", "--data", data, "--yes"]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("one")]);
  const done = await assay(["delete", P, "one", "--data", data, "--yes"]);
  expect([done.exitCode, done.stderr]).toEqual([0, ""]);
  expect([holds(data, "one-secret"), holds(data, "two-secret")]).toEqual([false, true]);
  expect((await assay(["doctor", "--data", data])).exitCode).toBe(0);
});

test("deletes all data through a server that has the directory open, which keeps serving the rest", {
  tags: ["long"],
}, async () => {
  const data = await directory("one", "two", "three");
  const key = "0123456789abcdef0123456789abcdef01234567";
  const server = await startAssay(data, { env: { ASSAY_API_KEY: key } });
  onTestFinished(() => server.stop("SIGKILL"));
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const ask = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, { headers, ...init });
  const rowsOf = async (...ids: readonly string[]) => {
    const body = JSON.stringify({ evaluation_call_ids: ids });
    const answer = await ask(`/v2/${P}/eval_results/query`, { method: "POST", body });
    return ((await answer.json()) as { readonly total_rows: number }).total_rows;
  };
  const models = async () => (await ask("/v1/models")).json();
  const modelsBefore = await models();
  // Loads its columns into memory and saves them.
  expect(await rowsOf("one", "two")).toBe(2);
  const watched = await ask(`/v2/${P}/eval_results/watch?evaluation=two`);
  const remove = (id: string, more: object = {}) =>
    ask(`/v2/${P}/eval_results/evaluations/${id}`, { method: "DELETE", ...more });
  expect((await remove("onne")).status).toBe(404);
  const some = (query: string) => ask(`/v2/${P}/eval_results/evaluations${query}`, { method: "DELETE" });
  expect([(await some("")).status, (await some("?evaluation=one&evaluation=onne")).status]).toEqual([
    422, 404,
  ]);
  expect((await remove("one", { headers: {} })).status).toBe(401);
  // Requests during the deletion wait for it, and are then answered.
  const [gone, ...others] = await Promise.all([remove("one"), rowsOf("two"), rowsOf("two", "three")]);
  expect([gone!.status, await (gone as Response).json()]).toEqual([
    200,
    expect.objectContaining({ rows: 0 }),
  ]);
  expect(others).toEqual([2, 2]);
  await watched.body?.cancel();
  expect([holds(data, "one-secret"), holds(data, "two-secret")]).toEqual([false, true]);
  expect([await rowsOf("one"), await rowsOf("two")]).toEqual([0, 2]);

  const unsure = await assay(["delete", P, "two", "--data", data, "--api-key", key]);
  expect([unsure.exitCode, unsure.stderr]).toEqual([2, expect.stringContaining("--yes")]);
  const done = await assay(["delete", P, "two", "--data", data, "--api-key", key, "--yes"]);
  expect([done.exitCode, done.stderr]).toEqual([0, ""]);
  expect([holds(data, "two-secret"), holds(data, "three-secret")]).toEqual([false, true]);
  expect((await ask(`/v2/${P}`, { method: "DELETE" })).status).toBe(200);
  expect(holds(data, "three-secret")).toBe(false);
  expect((await ask(`/v2/${P}`, { method: "DELETE" })).status).toBe(404);
  // New data is stored as usual.
  const lines = evaluationLines("four", [true]).join("\n");
  expect((await assay(["import", P, "-", "--data", data, "--api-key", key], { stdin: lines })).exitCode).toBe(
    0,
  );
  expect(await rowsOf("four")).toBe(1);
  // The server has not restarted.
  expect(await models()).toEqual(modelsBefore);
  expect(server.stderr()).toBe("");
});

test("a run and an artifact are deleted by name, with the bytes that only they use", {
  tags: ["long"],
}, async () => {
  const data = await directory("one");
  const key = "0123456789abcdef0123456789abcdef01234567";
  const server = await startAssay(data, { env: { ASSAY_API_KEY: key } });
  onTestFinished(() => server.stop("SIGKILL"));
  const client = wireClient(server.url, key);
  const [entity, project] = ["acme", "demo"] as const;
  for (const name of ["gone", "stays"]) {
    await client.mutate("upsertBucket", { entityName: entity, modelName: project, name }, "bucket { id }");
    const content = [JSON.stringify({ _step: 0, [`${name}-line-secret`]: 1 })];
    const files = { "wandb-history.jsonl": { offset: 0, content } };
    await client.send("POST", `/files/${entity}/${project}/${name}/file_stream`, { files });
  }
  for (const version of ["first", "second"]) {
    const files = { "own.txt": `${version}-bytes-secret`, "both.txt": "bytes of both" };
    await logArtifact(client, { entity, project, name: "data", files, aliases: ["latest", version] });
  }
  const remove = (...args: readonly string[]) =>
    assay(["delete", P, ...args, "--data", data, "--api-key", key]);
  const unsure = await remove("--run", "gone");
  expect([unsure.exitCode, unsure.stderr]).toEqual([2, expect.stringContaining("the run gone of acme/demo")]);
  expect(holds(data, "gone-line-secret")).toBe(true);
  const both = await remove("one", "--run", "gone", "--yes");
  expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining("give only one of")]);

  expect(await remove("--run", "gone", "--yes")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await remove("--artifact", "data:first", "--yes")).toMatchObject({ exitCode: 0, stderr: "" });
  const left = ["gone-line", "stays-line", "first-bytes", "second-bytes", "one"].map((of) =>
    holds(data, `${of}-secret`),
  );
  expect(left).toEqual([false, true, false, true, true]);
  expect(holds(data, "bytes of both")).toBe(true);
  for (const gone of [
    ["--run", "gone"],
    ["--artifact", "data:v0"],
    ["--artifact", "data"],
  ]) {
    const again = await remove(...gone, "--yes");
    expect([again.exitCode, again.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining(`there is no such ${gone[0]!.slice(2)}`),
    ]);
    expect(again.exitCode).not.toBe(0);
  }
  // The server continues with the remaining files.
  const history = await client.send("GET", `/v2/${P}/runs/stays/history`);
  expect(await history.text()).toContain("stays-line-secret");
  expect(server.stderr()).toBe("");
});

test("a project is deleted with its runs and artifacts, with a server and without, except for shared bytes", {
  tags: ["long"],
}, async () => {
  const key = "0123456789abcdef0123456789abcdef01234567";
  const data = await directory("one");
  const server = await startAssay(data, { env: { ASSAY_API_KEY: key } });
  onTestFinished(() => server.stop("SIGKILL"));
  const client = wireClient(server.url, key);
  for (const project of ["demo", "stays", "runs"]) {
    const run = { entityName: "acme", modelName: project, name: "first" };
    await client.mutate("upsertBucket", run, "bucket { id }");
    const content = [JSON.stringify({ _step: 0, [`${project}-line-secret`]: 1 })];
    const lines = { "wandb-history.jsonl": { offset: 0, content } };
    await client.send("POST", `/files/acme/${project}/first/file_stream`, { files: lines });
    const files = { "own.txt": `${project}-bytes-secret`, "both.txt": "bytes of both" };
    await logArtifact(client, { entity: "acme", project, name: "data", files, aliases: ["latest"] });
  }
  const remove = (...args: readonly string[]) =>
    assay(["delete", ...args, "--data", data, "--api-key", key, "--yes"]);
  const left = () =>
    ["demo", "runs", "stays"].map((of) => [
      holds(data, `${of}-line-secret`),
      holds(data, `${of}-bytes-secret`),
    ]);
  const reported = {
    exitCode: 0,
    stderr: "",
    stdout: expect.stringContaining("1 run and 1 version of artifacts; nothing is left"),
  };
  const elsewhere = await remove(P, "--run", "first", "--store", "clickhouse://127.0.0.1:1/none");
  expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([2, expect.stringContaining("--store")]);
  expect(await remove(P)).toMatchObject(reported);
  expect([holds(data, "one-secret"), ...left()]).toEqual([false, [false, false], [true, true], [true, true]]);
  const runs = async (project: string) => (await client.send("GET", `/v2/acme/${project}/runs`)).text();
  expect([await runs("demo"), await runs("stays")]).toEqual([
    expect.not.stringContaining("first"),
    expect.stringContaining("first"),
  ]);
  expect(server.stderr()).toBe("");
  await server.stop("SIGTERM");
  // This project has no evaluations.
  expect(await remove("acme/runs")).toMatchObject(reported);
  expect(left()).toEqual([
    [false, false],
    [false, false],
    [true, true],
  ]);
  expect(holds(data, "bytes of both")).toBe(true);
  expect((await remove("acme/runs")).exitCode).not.toBe(0);
  expect((await assay(["doctor", "--data", data])).exitCode).toBe(0);
});

/**
 * A directory with an evaluation from January, one that ended a minute ago, and one from a table, which has no times.
 */
async function ofAllAges(): Promise<string> {
  const data = await directory("old");
  const now = [new Date(Date.now() - 60_000).toISOString(), new Date().toISOString()];
  const fresh = evaluationLines("fresh", [true, false]).map((line) => {
    const call = JSON.parse(line) as object;
    return JSON.stringify({ ...call, started_at: now[0], ended_at: now[1] });
  });
  expect((await assay(["import", P, "-", "--data", data], { stdin: fresh.join("\n") })).exitCode).toBe(0);
  const table = "id,model,correct\nq1,timeless,true\n";
  const imported = await assay(["import", P, "-", "--data", data], { stdin: table });
  expect(imported).toMatchObject({ exitCode: 0 });
  return data;
}

async function namesIn(data: string): Promise<readonly string[]> {
  const { stdout } = await assay(["evaluations", P, "--format", "json", "--data", data]);
  return (JSON.parse(stdout) as readonly { readonly name: string }[]).map(({ name }) => name).sort();
}

test("evaluations older than N days are deleted on request, but none of unknown age", {
  tags: ["long"],
}, async () => {
  const data = await ofAllAges();
  const wrong = await assay(["delete", P, "--older-than", "soon", "--data", data, "--yes"]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("whole number from 1 to 36500"),
  ]);
  const both = await assay(["delete", P, "old", "--older-than", "30", "--data", data, "--yes"]);
  expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining("give only one of")]);
  const unsure = await assay(["delete", P, "--older-than", "30", "--data", data]);
  expect([unsure.exitCode, unsure.stderr]).toEqual([
    2,
    expect.stringContaining("1 evaluation of acme/demo that ended more than 30 days ago (old)"),
  ]);
  expect(holds(data, "old-secret")).toBe(true);
  const done = await assay(["delete", P, "--older-than", "30", "--data", data, "--yes"]);
  expect([done.exitCode, done.stderr]).toEqual([0, ""]);
  expect([holds(data, "old-secret"), await namesIn(data)]).toEqual([false, ["run fresh", "timeless"]]);
  const again = await assay(["delete", P, "--older-than", "30", "--data", data, "--yes"]);
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining("nothing was deleted")]);
});

test("a server deletes expired evaluations at its start, and keeps answering", {
  tags: ["long"],
}, async () => {
  const data = await ofAllAges();
  const settings = join(data, "..", "assay.yaml");
  const refused = async (text: string) => {
    writeFileSync(settings, text);
    return assay(["config", "--config", settings]);
  };
  expect(await refused("retention: { days: 0 }\n")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("retention.days"),
  });
  for (const [rules, left] of [
    ["{ days: 30, projects: { acme/demo: null } }", ["run fresh", "run old", "timeless"]],
    ["{ projects: { acme/other: 1 } }", ["run fresh", "run old", "timeless"]],
    ["{ days: 36500, projects: { acme/demo: 30 } }", ["run fresh", "timeless"]],
  ] as const) {
    writeFileSync(settings, `retention: ${rules}\n`);
    const server = await startAssay(data, { args: ["--config", settings] });
    onTestFinished(() => server.stop("SIGKILL"));
    const isSwept = () =>
      server.stderr().includes("acme/demo: deleted 1 evaluation (old), older than 30 days");
    if (left.length < 3) await expect.poll(isSwept, { timeout: 10_000 }).toBe(true);
    expect(await namesIn(data)).toEqual(left);
    await server.stop("SIGTERM");
    expect([holds(data, "old-secret"), isSwept()]).toEqual([left.length === 3, left.length < 3]);
  }
});

/**
 * The files that a deletion creates, in this order: the remaining records, the log of their state, and the marker that
 * both are complete.
 */
const SIGNS = [/^calls\.jsonl\.compacted/, /^redo\.log\.compacted/, /^compaction-\d+\.ready$/];

test.each(SIGNS)("is atomic if it is killed after creating %s", async (sign) => {
  const data = await directory("one", "two");
  const child = spawnAssay(["delete", P, "one", "--data", data, "--yes"]);
  const ended = once(child, "exit");
  const watcher = watch(data, (_, name) => {
    if (name !== null && sign.test(name)) child.kill("SIGKILL");
  });
  const [, signal] = await ended;
  watcher.close();
  expect(signal).toBe("SIGKILL");
  const { stdout, exitCode } = await assay(["evaluations", P, "--data", data, "--format", "json"]);
  expect(exitCode).toBe(0);
  const listed = (JSON.parse(stdout) as readonly { readonly id: string }[]).map(({ id }) => id);
  expect(listed).toContain("two");
  expect(holds(data, "one-secret")).toBe(listed.includes("one"));
});
