// Training and models from the command line, against a real server, shared by all tests without a configuration of
// their own.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { evaluationLines } from "@assay/testing/calls";
import { jobEnd, type Served, serve, serveUntil, startSft } from "@assay/testing/training-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assay, folder } from "../run-in-process.ts";

const row = (question: string, answer: string) =>
  JSON.stringify({
    messages: [
      { role: "user", content: question },
      { role: "assistant", content: answer },
    ],
  });
const ROWS = ["France? Paris", "Japan? Tokyo", "Kenya? Nairobi", "Peru? Lima"]
  .map((fact) => row(...(fact.split(" ") as [string, string])))
  .join("\n");

const home = mkdtempSync(join(tmpdir(), "assay-training-"));
const data = join(home, "data");
let server: Served;
let endServer: () => void = () => {};
beforeAll(async () => {
  server = await serveUntil((end) => {
    endServer = end;
  }, data);
});
afterAll(() => {
  endServer();
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});
const run = (...command: readonly string[]) => assay([...command, "--data", data]);

const idOf = (text: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? "";

test("fine-tunes a file, showing its steps, and lists, shows and watches the job", async () => {
  const file = join(home, "facts.jsonl.gz");
  writeFileSync(file, gzipSync(ROWS));
  const sft = ["train", "sft", "demo/facts", file, "--learning-rate", "5e-5"];
  const unknown = await run(...sft);
  expect(unknown.exitCode).toBe(2);
  expect(unknown.stderr).toBe("assay: model not found: demo/facts; create it with --base-model assay/tiny\n");

  const trained = await run(...sft, "--base-model", "assay/tiny", "--batch-size", "2", "--set", "epochs=2");
  expect(trained).toMatchObject({ exitCode: 0 });
  expect(trained.stderr).toMatch(/queued\ntaken by a worker\ntraining: 4 steps\nstep 1 of 4: loss \d/);
  expect(trained.stderr).toMatch(/│ metric of the job +│ first +│ last +│ least +│ most +│ curve/);
  expect(trained.stderr).toMatch(/│ loss +│ [\d.]+ +│ [\d.]+ +│ [\d.]+ +│ [\d.]+ +│ [▁▂▃▄▅▆▇█]{4} +│/);
  expect(trained.stderr).not.toContain("logged to the run");
  expect(trained.stdout).toMatch(/^job \S+ succeeded: the model is at step 1\n$/);
  const id = idOf(trained.stdout);

  // The model exists now.
  const again = await run(...sft, "--set", "epochss=1", "--detach");
  expect(again.stdout.trim()).toBe(idOf(again.stdout));
  const watched = await assay(["jobs", "watch", idOf(again.stdout), "--data", data], { columns: 90 });
  expect(watched).toMatchObject({ exitCode: 0 });
  expect(watched.stderr).toContain("█");
  expect(watched.stdout).toMatch(/succeeded: the model is at step 2/);

  // Metrics that a client logs to the model's run are shown with it.
  const lines = [0.25, 0.5, 1].map((reward, step) =>
    JSON.stringify({ _step: step, _runtime: 7, "val/reward": reward, note: "text" }),
  );
  const logged = await fetch(`${server.url}/files/default/demo/facts/file_stream`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ files: { "wandb-history.jsonl": { offset: 0, content: lines } } }),
  });
  expect(logged.status).toBe(200);
  const seen = await run("jobs", "watch", id);
  expect(seen.stderr).toMatch(/│ logged to the run +│ first/);
  expect(seen.stderr).toMatch(/│ val\/reward +│ 0\.25 +│ 1 +│ 0\.25 +│ 1 +│ ▁▃█ +│/);
  expect(seen.stderr).not.toMatch(/_runtime|note/);

  const listed = JSON.parse((await run("jobs")).stdout) as readonly { id: string; status: string }[];
  expect(listed.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  expect(listed[1]?.id).toBe(id);
  const table = await assay(["jobs", "list", "--limit", "1", "--data", data], { columns: 120 });
  expect(table.stdout).toContain(idOf(again.stdout));
  expect(table.stdout).not.toContain(id);
  expect(table.stderr).toContain("more jobs exist");
  expect(table.stdout).toContain("unknown_setting");
  const none = await assay(["jobs", "list", "--status", "queued", "--data", data], { columns: 120 });
  expect(none.stderr).toBe("no jobs with the status queued\n");
  expect(JSON.parse((await run("jobs", "show", id)).stdout)).toMatchObject({
    id,
    status: "succeeded",
    checkpoint_step: 1,
  });
  expect((await run("jobs", "cancel", id)).stderr).toMatch(/^assay: .*succeeded/);
});

test("diverging training fails its job with an explanation", async () => {
  const file = join(home, "facts.jsonl");
  writeFileSync(file, ROWS);
  const args = ["train", "sft", "demo/away", file, "--base-model", "assay/tiny", "--learning-rate", "1e300"];
  const ended = await run(...args, "--set", "epochs=50");
  expect(ended).toMatchObject({ exitCode: 1 });
  expect(ended.stdout).toMatch(
    /^job \S+ failed \(diverged\): training diverged: .+; a lower learning rate helps\n$/,
  );
  expect(JSON.parse((await run("jobs", "show", idOf(ended.stdout))).stdout)).toMatchObject({
    status: "failed",
    error: { code: "diverged", message: expect.stringContaining("training diverged") },
  });
  // It is not a failure of the server.
  expect(server.stderr()).toBe("");
});

test("cancels a running job; its watchers learn of it and fail", async () => {
  const file = join(home, "facts.jsonl");
  writeFileSync(file, ROWS);
  const args = ["train", "sft", "demo/long", file, "--base-model", "assay/tiny", "--set", "epochs=1000000"];
  const id = (await run(...args, "--detach")).stdout.trim();
  const watching = run("jobs", "watch", id);
  const cancelled = await run("jobs", "cancel", id);
  expect(cancelled.stdout).toMatch(/^job \S+ is cancell/);
  const watched = await watching;
  expect(watched.exitCode).toBe(1);
  expect(watched.stdout).toMatch(/^job \S+ cancelled \(cancelled\): /);
});

describe("invalid arguments are reported", () => {
  test("without a server", async () => {
    const nowhere = await assay(["jobs", "--data", join(folder(), "none")]);
    expect(nowhere.exitCode).toBe(1);
    expect(nowhere.stderr).toMatch(/^assay: no server has .* open: start one with assay serve/);
    const wrong = await assay(["jobs", "--server", "here"]);
    expect(wrong.exitCode).toBe(2);
    const away = await assay(["jobs", "--server", "http://127.0.0.1:1"]);
    expect(away.stderr).toBe("assay: the server at http://127.0.0.1:1 does not answer\n");
  });

  test("about models, rows, groups, settings and jobs", async () => {
    const [rows, groups] = [join(home, "rows.jsonl"), join(home, "groups.json")];
    writeFileSync(rows, `${ROWS}\n{"messages": []}`);
    writeFileSync(groups, "{}");
    const base = ["--base-model", "assay/tiny"];
    const said = async (...args: readonly string[]) => {
      const { exitCode, stderr } = await run(...args);
      return `${exitCode} ${stderr}`;
    };
    expect(await said("train", "sft", "facts", rows, ...base)).toMatch(/^2 assay: "facts" is not a model/);
    expect(await said("train", "sft", "a/b", join(home, "none"), ...base)).toMatch(/^1 .*none: no such file/);
    expect(await said("train", "sft", "a/b", rows, ...base)).toMatch(/^2 assay: line\.5\.messages: /);
    expect(await said("train", "sft", "a/b", rows, "--base-model", "gpt-4")).toMatch(/^2 assay: line/);
    writeFileSync(rows, ROWS);
    expect(await said("train", "sft", "a/b", rows, "--base-model", "gpt-4")).toMatch(
      /gpt-4 cannot be trained here; assay\/tiny can/,
    );
    expect(await said("train", "sft", "a/b", rows, ...base, "--batch-size", "none")).toMatch(
      /^2 assay: config\.batch_size/,
    );
    expect(await said("train", "sft", "a/b", rows, ...base, "--set", "x")).toMatch(
      /^2 assay: "x" is not a setting/,
    );
    expect(
      await said("train", "sft", "a/b", rows, ...base, "--batch-size", "1", "--set", "batch_size=2"),
    ).toMatch(/^2 assay: batch_size is set twice/);
    expect(await said("train", "sft", "a/b", "file:///etc/passwd", ...base)).toMatch(
      /^2 .*does not read files/,
    );
    expect(await said("train", "rl", "a/b", groups, ...base)).toMatch(
      /^2 .*expected a list of trajectory groups/,
    );
    writeFileSync(groups, '{"trajectory_groups": [], "experimental_config": {"epsilon": 1}}');
    expect(await said("train", "rl", "a/b", groups, ...base)).toMatch(
      /^2 .*"experimental_config" next to trajectory_groups would have no effect/,
    );
    const told = [0, 1].map((reward) => ({
      messages_and_choices: [{ role: "assistant", content: "x" }],
      reward,
    }));
    writeFileSync(groups, JSON.stringify([{ trajectories: told }]));
    expect(await said("train", "rl", "a/b", groups, ...base)).toMatch(
      /^2 assay: trajectory_groups\.0\.trajectories/,
    );
    expect(await said("jobs", "watch", "no-such-job")).toMatch(/^1 assay: there is no such job/);
    expect(await said("jobs", "--status", "asleep")).toMatch(/^2 assay: status: /);
    expect(await said("jobs", "--limit", "0")).toMatch(/^2 assay: "0" is not a whole number/);
  });
});

test("a remote worker trains what the server does not train itself, and ends after its jobs", async () => {
  const own = folder();
  const config = join(own, "training.yaml");
  writeFileSync(config, "trainers: [{type: worker, base_models: [assay/tiny]}]");
  const waiting = await serve(join(own, "data"), "--training", config);
  const file = join(own, "facts.jsonl");
  writeFileSync(file, ROWS);
  const args = ["train", "sft", "demo/facts", file, "--base-model", "assay/tiny", "--detach"];
  const id = (await assay([...args, "--server", waiting.url])).stdout.trim();
  const folderOf = ["--folder", join(own, "worker")];
  const worked = await assay(["worker", "--server", waiting.url, "--jobs", "1", ...folderOf]);
  expect(worked).toMatchObject({ exitCode: 0 });
  expect(worked.stderr).toContain(`job ${id} of default/demo/facts, attempt 1`);
  expect(await jobEnd(waiting, id)).toMatchObject({ status: "succeeded", checkpoint_step: 1 });
});

const BUILT = fileURLToPath(new URL("../../bundle/assay.js", import.meta.url));

/** Runs the built command in a process of its own. */
function built(...args: readonly string[]) {
  return new Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      const child = execFile(process.execPath, [BUILT, ...args], (_, stdout, stderr) =>
        resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
      );
    },
  );
}

/** Creates a model with two checkpoints. */
async function trainedTwice(entity: string, project: string, name: string): Promise<string> {
  const wish = { entity, project, name, base_model: "assay/tiny" };
  const { id } = await server.ask<{ id: string }>("POST", "/models", wish);
  for (let step = 1; step <= 2; step++)
    await jobEnd(server, (await startSft(server, id, [JSON.parse(ROWS.split("\n")[0]!)], {})).id);
  return id;
}

test("models are listed and shown, checkpoints get aliases, and those with an alias are kept", async () => {
  await trainedTwice("team", "demo", "capitals");
  const models = (...args: readonly string[]) => run("models", ...args);

  const listed = JSON.parse((await models("list")).stdout) as readonly { name: string }[];
  expect(listed.find(({ name }) => name === "capitals")).toMatchObject({ entity: "team", step: 2 });
  const set = await models("alias", "demo/capitals", "live", "--step", "1");
  expect(set).toMatchObject({ exitCode: 0, stdout: "team/demo/capitals:live points to step 1\n" });
  const shown = JSON.parse((await models("show", "demo/capitals")).stdout);
  expect(shown.aliases).toMatchObject([
    { alias: "latest", step: 2 },
    { alias: "live", step: 1 },
  ]);
  expect(shown.evaluations).toEqual([]);
  const [metric] = Object.keys(shown.checkpoints.at(-1).metrics);
  const best = await models("alias", "demo/capitals", "best", "--metric", metric!, "--goal", "min");
  expect(best.stdout).toMatch(/^team\/demo\/capitals:best \(min .+\) points to step [12]\n$/);

  // Evaluations of the model by name; those of another model do not appear.
  const lines = ["one", "two", "three"].flatMap((id, at) =>
    evaluationLines(id, [true], at).map((line) => {
      const call = JSON.parse(line);
      const name = `wandb-artifact:///team/demo/${["capitals:step1", "capitals:live", "other"][at]}`;
      return JSON.stringify(call.id === id ? { ...call, inputs: { ...call.inputs, model: name } } : call);
    }),
  );
  const imported = await assay(["import", "team/demo", "-", "--data", data], { stdin: lines.join("\n") });
  expect(imported.exitCode).toBe(0);
  expect(JSON.parse((await models("show", "demo/capitals")).stdout).evaluations).toMatchObject([
    { id: "one", project: "team/demo", step: 1, alias: null, trials: 1 },
    { id: "two", step: null, alias: "live" },
  ]);
  const table = await assay(["models", "show", "demo/capitals", "--data", data], { columns: 100 });
  expect(table.stdout).toMatch(/^wandb-artifact:\/\/\/team\/demo\/capitals on assay\/tiny\n/);
  expect(table.stdout).toMatch(/│ 1 +│ (best .+)?/);
  expect(table.stdout).toContain(metric);
  expect(table.stdout).toMatch(/│ one +│ run one +│ 1 +│ 1 +│ 2026-01-01 00:00/);
  expect((await assay(["models", "--data", data], { columns: 100 })).stdout).toContain("team/demo/capitals");

  const unsaid = await models("delete", "demo/capitals");
  expect([unsaid.exitCode, unsaid.stderr]).toEqual([2, expect.stringContaining("add --yes")]);
  const among = await models("delete", "demo/capitals", "--step", "1", "--step", "9");
  expect(among.stderr).toContain("add --yes to permanently delete 1 checkpoint of");
  const held = await built("models", "delete", "demo/capitals", "--step", "1", "--yes", "--data", data);
  expect([held.exitCode, held.stderr]).toEqual([
    1,
    expect.stringContaining("the alias live points to step 1"),
  ]);
  for (const alias of ["live", "best"])
    expect((await models("unalias", "demo/capitals", alias)).exitCode).toBe(0);
  expect((await models("unalias", "demo/capitals", "live")).exitCode).toBe(1);
  const some = await models("delete", "demo/capitals", "--step", "1", "--step", "9", "--yes");
  expect([some.exitCode, some.stdout]).toEqual([1, "deleted 1 checkpoint of team/demo/capitals\n"]);
  expect(some.stderr).toContain("has no checkpoint of step 9");
  expect((await models("delete", "demo/capitals", "--yes")).stdout).toContain(
    "deleted the model team/demo/capitals",
  );
  expect((await models("show", "demo/capitals")).stderr).toBe(
    "assay: model not found: demo/capitals; assay models lists all\n",
  );
  expect((await models("alias", "demo/capitals", "live")).stderr).toContain(
    "give either --step NUMBER or --metric NAME",
  );
  expect((await models("alias", "demo/capitals", "live", "--step", "1", "--goal", "min")).stderr).toContain(
    "--goal is for --metric",
  );
});

test("a name shared by models of two entities is not accepted for training", async () => {
  for (const entity of ["team", "crew"])
    await server.ask("POST", "/models", { entity, project: "demo", name: "twin", base_model: "assay/tiny" });
  const file = join(home, "twin.jsonl");
  writeFileSync(file, ROWS);
  const ambiguous = await run("train", "sft", "demo/twin", file, "--detach");
  expect([ambiguous.exitCode, ambiguous.stderr]).toEqual([
    2,
    "assay: demo/twin exists in team and in crew: name one, such as team/demo/twin\n",
  ]);
  expect((await run("train", "sft", "crew/demo/twin", file, "--detach")).exitCode).toBe(0);
});
