// The unmodified openai package for Node fine-tunes on the built command in a process of its own, and chats with the
// new model.

import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssayServer, startAssay } from "@assay/testing/server";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";

const OWNER = "k".repeat(40);
const home = mkdtempSync(join(tmpdir(), "assay-fine-tuning-"));
const QUESTION = { role: "user" as const, content: "What do owls say?" };
const ROW = JSON.stringify({ messages: [QUESTION, { role: "assistant", content: "hoo" }] });
const ROWS = `${ROW}\n`.repeat(4);
let server: AssayServer;

beforeAll(async () => {
  server = await startAssay(home, { env: { ASSAY_API_KEY: OWNER } });
});

afterAll(async () => {
  await server.stop("SIGTERM");
  rmSync(home, { recursive: true });
});

/** A client with its own key, limited to `scopes`. */
async function clientFor(...scopes: readonly string[]): Promise<OpenAI> {
  const made = await fetch(`${server.url}/v1/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${OWNER}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "test", scopes }),
  });
  const { key } = (await made.json()) as { readonly key: string };
  return new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
}

const upload = async (client: OpenAI, text: string, name = "rows.jsonl") =>
  client.files.create({ file: await toFile(Buffer.from(text), name), purpose: "fine-tune" });

/** The job once it has ended. */
async function ended(client: OpenAI, id: string) {
  const done = ["succeeded", "failed", "cancelled"];
  await expect
    .poll(async () => (await client.fineTuning.jobs.retrieve(id)).status, { timeout: 120_000 })
    .toSatisfy((status: string) => done.includes(status));
  return client.fineTuning.jobs.retrieve(id);
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of pages) found.push(one);
  return found;
}

test("a file is uploaded, a job trains on it, and the new model answers by its ft: name", async () => {
  const client = await clientFor("team/owls");
  const file = await upload(client, ROWS);
  expect(file).toMatchObject({
    object: "file",
    bytes: ROWS.length,
    filename: "rows.jsonl",
    status: "processed",
  });
  expect(await (await client.files.content(file.id)).text()).toBe(ROWS);
  expect((await all(client.files.list({ limit: 1 }))).map(({ id }) => id)).toEqual([file.id]);

  const made = await client.fineTuning.jobs.create({
    model: "assay/tiny",
    training_file: file.id,
    validation_file: file.id,
    suffix: "owl",
    seed: 7,
    metadata: { for: "test" },
    method: { type: "supervised", supervised: { hyperparameters: { n_epochs: 10 } } },
  });
  expect(made).toMatchObject({
    model: "assay/tiny",
    training_file: file.id,
    seed: 7,
    organization_id: "team",
  });
  expect(made.hyperparameters).toEqual({
    n_epochs: 10,
    batch_size: "auto",
    learning_rate_multiplier: "auto",
  });
  const job = await ended(client, made.id);
  expect(job).toMatchObject({ status: "succeeded", error: null, metadata: { for: "test" } });
  expect(job.fine_tuned_model).toMatch(/^ft:assay\/tiny:team\/owls:owl:[0-9a-f]{8}$/);
  expect((await all(client.fineTuning.jobs.list({ limit: 1 }))).map(({ id }) => id)).toEqual([made.id]);

  const events = await all(client.fineTuning.jobs.listEvents(made.id, { limit: 7 }));
  expect(events[0]?.message).toBe(`New fine-tuned model created: ${job.fine_tuned_model}`);
  expect(events.at(-1)?.message).toContain("4 rows");
  const steps = events.filter(({ type }) => type === "metrics").map(({ data }) => data as { step: number });
  expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 20 }, (_, i) => 20 - i));
  expect(steps[0]).toMatchObject({ total_steps: 20, train_loss: expect.any(Number) });
  const [checkpoint, ...others] = await all(client.fineTuning.jobs.checkpoints.list(made.id));
  expect([checkpoint?.fine_tuned_model_checkpoint, others]).toEqual([
    `${job.fine_tuned_model}:ckpt-step-1`,
    [],
  ]);
  expect(checkpoint?.metrics.full_valid_loss).toBeLessThan(0.5);

  for (const model of [job.fine_tuned_model!, checkpoint!.fine_tuned_model_checkpoint]) {
    const wish = { model, messages: [QUESTION], temperature: 0, max_tokens: 8 };
    const answer = await client.chat.completions.create(wish);
    expect([answer.model, answer.choices[0]?.message.content]).toEqual([model, "hoo"]);
  }
  expect((await all(client.models.list())).map(({ id }) => id)).toContain(job.fine_tuned_model);

  // Training continues from the model under a new name, and the old model stays.
  const next = await client.fineTuning.jobs.create({
    model: job.fine_tuned_model!,
    training_file: file.id,
    hyperparameters: { n_epochs: 1 },
  });
  const after = await ended(client, next.id);
  expect(after.fine_tuned_model).toMatch(/^ft:assay\/tiny:team\/owls::[0-9a-f]{8}$/);
  expect(await client.models.delete(after.fine_tuned_model!)).toMatchObject({ deleted: true });
  expect(await client.models.retrieve(job.fine_tuned_model!)).toMatchObject({ parent: "assay/tiny" });
  expect(await client.files.delete(file.id)).toMatchObject({ id: file.id, deleted: true });
  await expect(client.files.retrieve(file.id)).rejects.toThrow(OpenAI.NotFoundError);
});

test("invalid requests are refused with the expected error class and field", async () => {
  const client = await clientFor("team/owls");
  const file = await upload(client, ROWS);
  const wrong = await upload(client, `${ROW}\n{"messages": [{"role": "user"}]}\n`);
  const create = (more: object) =>
    client.fineTuning.jobs
      .create({ model: "assay/tiny", training_file: file.id, ...more })
      .catch((error: unknown) => error);
  const refusals = [
    [{ training_file: wrong.id }, 400, "training_file", /line 2: .*last message must be the assistant/],
    [{ training_file: "file-x" }, 404, "training_file", /no such file/],
    [{ model: "gpt-4o-mini" }, 400, "model", /cannot be trained here; assay\/tiny/],
    [{ model: "ft:assay/tiny:team/owls::00000000" }, 404, "model", /there is no model/],
    [{ method: { type: "dpo" } }, 400, "method.type", /only supervised/],
    [{ hyperparameters: { n_epochs: 0 } }, 400, "hyperparameters.n_epochs", /n_epochs/],
    [{ integrations: [{ type: "wandb" }] }, 400, "integrations", /integrations/],
    [{ banana: 1 }, 400, "banana", /banana/],
  ] as const;
  for (const [more, status, param, message] of refusals)
    expect(await create(more)).toMatchObject({ status, param, message: expect.stringMatching(message) });
  const batch = { file: await toFile(Buffer.from("x"), "x"), purpose: "batch" as const };
  await expect(client.files.create(batch)).rejects.toMatchObject({ status: 400, param: "purpose" });
  await expect(all(client.files.list({ after: "file-x" }))).rejects.toMatchObject({
    status: 400,
    param: "after",
  });
  await expect(client.fineTuning.jobs.pause("ftjob-x")).rejects.toMatchObject({ status: 404 });

  // Deleting files while listing them skips none.
  for await (const { id } of client.files.list({ limit: 1 })) await client.files.delete(id);
  expect(await all(client.files.list())).toEqual([]);
});

test("a job can be cancelled, and another team can neither see nor change it", async () => {
  const [client, other, both] = [
    await clientFor("team/owls"),
    await clientFor("other/owls"),
    await clientFor("team/owls", "other/owls"),
  ];
  const file = await upload(client, ROWS);
  const rest = { model: "assay/tiny", training_file: file.id };
  const job = await client.fineTuning.jobs.create({ ...rest, hyperparameters: { n_epochs: 50 } });
  for (const ask of [
    () => other.files.retrieve(file.id),
    () => other.files.content(file.id),
    () => other.files.delete(file.id),
    () => other.fineTuning.jobs.create(rest),
    () => other.fineTuning.jobs.retrieve(job.id),
    () => other.fineTuning.jobs.cancel(job.id),
    () => other.fineTuning.jobs.listEvents(job.id),
    () => other.fineTuning.jobs.checkpoints.list(job.id),
  ])
    await expect(ask()).rejects.toThrow(OpenAI.NotFoundError);
  expect([await all(other.files.list()), await all(other.fineTuning.jobs.list())]).toEqual([[], []]);
  // A key of two projects sees both, but must name the project of what it creates.
  expect((await all(both.files.list())).map(({ id }) => id)).toContain(file.id);
  await expect(upload(both, ROWS)).rejects.toThrow(/project option/);
  const named = both.withOptions({ project: "other/owls" });
  const theirs = await upload(named, ROWS);
  expect((await all(other.files.list())).map(({ id }) => id)).toEqual([theirs.id]);
  await expect(named.files.retrieve(file.id)).rejects.toThrow(OpenAI.NotFoundError);

  expect(await client.fineTuning.jobs.cancel(job.id)).toMatchObject({ status: "cancelled" });
  expect(await ended(client, job.id)).toMatchObject({
    status: "cancelled",
    fine_tuned_model: null,
    error: null,
  });
});

test("a cancelled job that starts from a fine-tuned model leaves no model behind", async () => {
  const client = await clientFor("team/forks");
  const file = await upload(client, ROWS);
  const first = await client.fineTuning.jobs.create({ model: "assay/tiny", training_file: file.id });
  const { fine_tuned_model: model, finished_at } = await ended(client, first.id);
  const models = async () => (await all(client.models.list())).filter(({ id }) => id.startsWith("ft:"));
  const before = await models();
  expect(before.map(({ id }) => id)).toEqual([model]);
  // The creation time.
  expect(Math.abs(before[0]!.created - finished_at!)).toBeLessThan(60);
  const job = await client.fineTuning.jobs.create({
    model: model!,
    training_file: file.id,
    hyperparameters: { n_epochs: 50 },
  });
  await client.fineTuning.jobs.cancel(job.id);
  expect(await ended(client, job.id)).toMatchObject({ status: "cancelled", fine_tuned_model: null });
  expect(await models()).toEqual(before);
});

test("the example in the documentation runs, and the model answers as it was taught", async () => {
  const page = readFileSync(new URL("../../../../docs/how-to/fine-tuning.md", import.meta.url), "utf8");
  const [row, code] = ["jsonl", "js"].map(
    (kind) => new RegExp(`\`\`\`${kind}\n([\\s\\S]*?)\`\`\``).exec(page)![1]!,
  );
  const file = join(home, "rows.jsonl");
  writeFileSync(file, row!.repeat(4));
  const body = code!.replaceAll(/^import .*$/gm, "").replace("new OpenAI()", "client");
  const said: unknown[] = [];
  const example = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;
  const run = example(
    "client_",
    "createReadStream",
    "console",
    body.replace("const client = client;", "const client = client_;"),
  );
  const read = (name: string) => createReadStream(join(home, name));
  await run(await clientFor("team/owls"), read, { log: (line: unknown) => said.push(line) });
  expect(said.at(-1)).toBe("hoo");
  expect(said[0]).toMatch(/^New fine-tuned model created: ft:/);
});
