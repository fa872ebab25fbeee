// Training from the command line, against a real server.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { assay, folder } from "../world.ts";
import { jobEnd, serve } from "./served.ts";

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

async function served(...args: readonly string[]) {
  const home = folder();
  const data = join(home, "data");
  const server = await serve(data, ...args);
  const run = (...command: readonly string[]) => assay([...command, "--data", data]);
  return { home, data, server, run };
}

const idOf = (text: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? "";

test("fine-tunes a file, showing its steps, and lists, shows and watches the job", async () => {
  const { home, run, data } = await served();
  const file = join(home, "facts.jsonl.gz");
  writeFileSync(file, gzipSync(ROWS));
  const sft = ["train", "sft", "demo/facts", file, "--learning-rate", "5e-5"];
  const unknown = await run(...sft);
  expect(unknown.exitCode).toBe(2);
  expect(unknown.stderr).toBe("assay: there is no model demo/facts; --base-model assay/tiny makes it\n");

  const trained = await run(...sft, "--base-model", "assay/tiny", "--batch-size", "2", "--set", "epochs=2");
  expect(trained).toMatchObject({ exitCode: 0 });
  expect(trained.stderr).toMatch(/queued\ntaken by a worker\ntraining: 4 steps\nstep 1 of 4: loss \d/);
  expect(trained.stdout).toMatch(/^job \S+ succeeded: the model is at step 1\n$/);
  const id = idOf(trained.stdout);

  // The model is there now.
  const again = await run(...sft, "--detach");
  expect(again.stdout.trim()).toBe(idOf(again.stdout));
  const watched = await assay(["jobs", "watch", idOf(again.stdout), "--data", data], { columns: 90 });
  expect(watched).toMatchObject({ exitCode: 0 });
  expect(watched.stderr).toContain("█");
  expect(watched.stdout).toMatch(/succeeded: the model is at step 2/);

  const listed = JSON.parse((await run("jobs")).stdout) as readonly { id: string; status: string }[];
  expect(listed.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  expect(listed[1]?.id).toBe(id);
  const table = await assay(["jobs", "list", "--limit", "1", "--data", data], { columns: 120 });
  expect(table.stdout).toContain(idOf(again.stdout));
  expect(table.stdout).not.toContain(id);
  expect(table.stderr).toContain("there are more");
  expect(JSON.parse((await run("jobs", "show", id)).stdout)).toMatchObject({
    id,
    status: "succeeded",
    checkpoint_step: 1,
  });
  expect((await run("jobs", "cancel", id)).stderr).toMatch(/^assay: .*succeeded/);
});

test("a training that runs away is a job that failed, and says so", async () => {
  const { home, run, server } = await served();
  const file = join(home, "facts.jsonl");
  writeFileSync(file, ROWS);
  const args = ["train", "sft", "demo/away", file, "--base-model", "assay/tiny", "--learning-rate", "1e300"];
  const ended = await run(...args, "--set", "epochs=50");
  expect(ended).toMatchObject({ exitCode: 1 });
  expect(ended.stdout).toMatch(
    /^job \S+ failed \(diverged\): training ran away: .+; a lower learning rate helps\n$/,
  );
  expect(JSON.parse((await run("jobs", "show", idOf(ended.stdout))).stdout)).toMatchObject({
    status: "failed",
    error: { code: "diverged", message: expect.stringContaining("training ran away") },
  });
  // It is no failure of the server.
  expect(server.errors()).toBe("");
});

test("cancels a job that runs; whoever watches it is told, and fails", async () => {
  const { home, run } = await served();
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

describe("what makes no sense is said", () => {
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
    const { home, run } = await served();
    const [rows, groups] = [join(home, "rows.jsonl"), join(home, "groups.json")];
    writeFileSync(rows, `${ROWS}\n{"messages": []}`);
    writeFileSync(groups, "{}");
    const base = ["--base-model", "assay/tiny"];
    const said = async (...args: readonly string[]) => {
      const { exitCode, stderr } = await run(...args);
      return `${exitCode} ${stderr}`;
    };
    expect(await said("train", "sft", "facts", rows, ...base)).toMatch(/^2 assay: "facts" is no model/);
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
      /^2 assay: "x" is no setting/,
    );
    expect(await said("train", "sft", "a/b", "file:///etc/passwd", ...base)).toMatch(/^2 .*reads no files/);
    expect(await said("train", "rl", "a/b", groups, ...base)).toMatch(
      /^2 .*a list of trajectory groups is needed/,
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
    expect(await said("jobs", "--limit", "0")).toMatch(/^2 assay: "0" does not do/);
  });
});

test("a worker elsewhere trains what the server does not train itself, and ends after its jobs", async () => {
  const home = folder();
  const config = join(home, "training.yaml");
  writeFileSync(config, "trainers: [{type: worker, base_models: [assay/tiny]}]");
  const { server, run, data } = await served("--training", config);
  const file = join(home, "facts.jsonl");
  writeFileSync(file, ROWS);
  const args = ["train", "sft", "demo/facts", file, "--base-model", "assay/tiny", "--detach"];
  const id = (await run(...args)).stdout.trim();
  const worked = await assay([
    "worker",
    "--server",
    server.url,
    "--jobs",
    "1",
    "--folder",
    join(data, "worker"),
  ]);
  expect(worked).toMatchObject({ exitCode: 0 });
  expect(worked.stderr).toContain(`job ${id} of default/demo/facts, attempt 1`);
  expect(await jobEnd(server, id)).toMatchObject({ status: "succeeded", checkpoint_step: 1 });
});
