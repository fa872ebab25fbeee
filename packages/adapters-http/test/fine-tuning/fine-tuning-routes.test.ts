// The fine-tuning routes over memory: their limits, the lifetime of bytes, the separation of two tenants, and the
// accuracy of their description.

import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openApiPart } from "../../src/openapi/open-api.ts";
import { openFixture, rowWith } from "./fixture.ts";

const JOBS = "/v1/fine_tuning/jobs";
/** Appears only in another tenant's data, so no answer may contain it. */
const SECRET = "sesame";

test("a file is stored completely or not at all, wherever it is in its form", async () => {
  const { ask, artifacts, errors, service, upload } = openFixture(200);
  const kept = async (text: string) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return (await artifacts.find(Buffer.from(digest).toString("hex"))) !== undefined;
  };
  expect((await upload("key-a", "first", { fileFirst: true })).status).toBe(200);
  expect(await kept("first")).toBe(true);
  for (const [text, options, status, param] of [
    ["no purpose", { purpose: "" }, 400, "purpose"],
    ["another purpose", { purpose: "vision", fileFirst: true }, 400, "purpose"],
    ["x".repeat(201), {}, 413, "file"],
    ["no name", { name: "" }, 400, "file"],
    ["", {}, 400, "file"],
  ] as const) {
    const answer = await upload("key-a", text, options);
    expect([text, answer.status, answer.body.error.param]).toEqual([text, status, param]);
    expect(await kept(text)).toBe(false);
  }
  const multipart = { "content-type": "multipart/form-data; boundary=b" };
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n';
  for (const [body, headers] of [
    ["{}", { "content-type": "application/json" }],
    [`${head}breaks off`, multipart],
    ["--b--\r\n", multipart],
    ["", { "content-type": "multipart/form-data" }],
  ] as const) {
    const answer = await ask("key-a", "POST", "/v1/files", body, headers);
    expect([body, answer.status]).toEqual([body, 400]);
  }
  expect(await kept("breaks off")).toBe(false);
  expect((await service.listFiles({ limit: 100, order: "asc" })).ok).toBe(true);
  expect((await ask("key-a", "GET", "/v1/files")).body.data).toHaveLength(1);
  expect(errors).toEqual([]);
});

test("bytes are kept while a file or a waiting job needs them", async () => {
  const { ask, artifacts, ended, trained, upload } = openFixture();
  const [one, two] = [await upload("key-a", rowWith("a")), await upload("key-a", rowWith("a"))];
  const job = await ask("key-a", "POST", JOBS, { model: "tiny", training_file: one.body.id });
  const blobs = async () => artifacts.find(await shaOf(rowWith("a")));
  await ask("key-a", "DELETE", `/v1/files/${one.body.id}`);
  expect(await blobs()).toBeDefined();
  await ask("key-a", "DELETE", `/v1/files/${two.body.id}`);
  expect(await blobs()).toBeDefined();
  expect((await ask("key-a", "DELETE", `/v1/files/${two.body.id}`)).status).toBe(404);
  const done = await trained(() => ended("key-a", job.body.id));
  expect(done).toMatchObject({ status: "succeeded", training_file: one.body.id });
  const listed = await ask("key-a", "GET", `${JOBS}?metadata[team]=a&metadata[team]=b`);
  expect(listed).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining("more than once") } },
  });
});

test("hyperparameters are accepted wherever they are sent, and a setting of another method is refused", async () => {
  const { ask, upload } = openFixture();
  const training_file = (await upload("key-a", rowWith("a"))).body.id as string;
  const post = (wish: object) => ask("key-a", "POST", JOBS, { model: "tiny", training_file, ...wish });
  const supervised = { hyperparameters: { n_epochs: 2 } };
  const method = { type: "supervised", supervised };
  const both = await post({ method, hyperparameters: { n_epochs: 2, batch_size: 4 } });
  expect(both.body.hyperparameters).toMatchObject({ n_epochs: 2, batch_size: 4 });
  for (const [wish, param] of [
    [{ method, hyperparameters: { n_epochs: 3 } }, "hyperparameters.n_epochs"],
    [{ method: { ...method, dpo: { hyperparameters: { beta: 1 } } } }, "method.dpo"],
  ] as const)
    expect(await post(wish)).toMatchObject({ status: 400, body: { error: { param } } });
});

async function shaOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Buffer.from(digest).toString("hex");
}

test("no file, job or model of another tenant can be seen, guessed or changed", async () => {
  const { ask, ended, errors, service, store, trained, upload } = openFixture();
  const file = (await upload("key-b", rowWith(SECRET), { name: `${SECRET}.jsonl` })).body.id as string;
  const wish = { model: "tiny", training_file: file, suffix: SECRET };
  const job = await trained(async () =>
    ended("key-b", (await ask("key-b", "POST", JOBS, wish)).body.id as string),
  );
  const waiting = (await ask("key-b", "POST", JOBS, wish)).body.id as string;
  const own = (await upload("key-a", rowWith("own"))).body.id as string;
  const everything = async () =>
    JSON.stringify([
      (await store.files({ order: "asc", limit: 100 })).filter(({ entity }) => entity === "team-b"),
      await store.jobs({ order: "asc", limit: 100 }),
      (await store.models({ limit: 100 })).filter(({ entity }) => entity === "team-b"),
    ]);
  const before = await everything();
  const events = (await ask("key-b", "GET", `${JOBS}/${job.id}/events`)).body.data as { id: string }[];

  const asks: readonly ((id: string) => ReturnType<typeof ask>)[] = [
    (id) => ask("key-a", "GET", `/v1/files/${id}`),
    (id) => ask("key-a", "GET", `/v1/files/${id}/content`),
    (id) => ask("key-a", "GET", `/v1/files?after=${id}`),
    (id) => ask("key-a", "GET", `/v1/files?purpose=fine-tune&after=${id}&order=asc`),
    (id) =>
      ask("key-a", "GET", "/v1/files", undefined, { "openai-project": id.includes("/") ? id : "team-b/p" }),
    (id) => ask("key-a", "GET", `${JOBS}?after=${id}`),
    (id) => ask("key-a", "GET", `${JOBS}/${id}`),
    (id) => ask("key-a", "GET", `${JOBS}/${id}/events`),
    (id) => ask("key-a", "GET", `${JOBS}/${id}/checkpoints`),
    (id) => ask("key-a", "POST", `${JOBS}/${id}/cancel`),
    (id) => ask("key-a", "POST", `${JOBS}/${id}/pause`),
    (id) => ask("key-a", "POST", JOBS, { model: "tiny", training_file: id }),
    (id) => ask("key-a", "POST", JOBS, { model: id, training_file: id }),
    (id) => ask("key-a", "POST", JOBS, { model: id, training_file: own }, { "openai-project": "team-b/p" }),
    (id) => ask("key-a", "DELETE", `/v1/files/${id}`),
  ];
  const ids = [file, file.slice(5), job.id, waiting, job.fine_tuned_model, events[0]!.id];
  for (const [one, id] of asks.flatMap((one) => ids.map((id) => [one, id] as const))) {
    const { text } = await one(encodeURIComponent(id));
    expect(text.replaceAll(id, "")).not.toContain(SECRET);
    expect(await everything()).toBe(before);
  }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...asks), fc.webPath(), async (one, id) => {
      const { status, text } = await one(encodeURIComponent(id));
      expect(status).toBeLessThan(500);
      expect(text).not.toContain(SECRET);
    }),
    { numRuns: 40 },
  );
  expect(await everything()).toBe(before);
  expect((await service.listFiles({ limit: 9, order: "asc" })).ok).toBe(true);
  expect(errors).toEqual([]);
});

test("the description is complete, and answers and refusals conform to it", async () => {
  const { ask, ended, group, trained, upload } = openFixture();
  const part = openApiPart(group);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const refused = { Refusal: { type: "object", required: ["error"] } };
  ajv.addSchema({
    $id: "https://assay.test/api.json",
    components: { schemas: { ...refused, ...part.schemas } },
  });
  const conforms = (name: string, value: unknown) => {
    const validate = ajv.getSchema(`https://assay.test/api.json#/components/schemas/${name}`)!;
    return validate(value) ? "conforms" : ajv.errorsText(validate.errors);
  };
  for (const [path, methods] of Object.entries(part.paths))
    for (const method of Object.keys(methods as object)) {
      const { body } = await ask("key-a", method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "x"));
      expect(`${method} ${path} ${JSON.stringify(body)}`).not.toContain("there is no route for");
    }
  const file = (await upload("key-a", rowWith("a"))).body;
  const wish = { model: "tiny", training_file: file.id };
  await trained(async () => {
    const made = (await ask("key-a", "POST", JOBS, wish)).body;
    const job = await ended("key-a", made.id);
    const answers = [
      ["File", file],
      ["FineTuningJob", made],
      ["FineTuningJob", job],
      ["FileList", (await ask("key-a", "GET", "/v1/files")).body],
      ["FineTuningJobList", (await ask("key-a", "GET", JOBS)).body],
      ["FineTuningEventList", (await ask("key-a", "GET", `${JOBS}/${job.id}/events`)).body],
      ["FineTuningCheckpointList", (await ask("key-a", "GET", `${JOBS}/${job.id}/checkpoints`)).body],
      ["DeletedFile", (await ask("key-a", "DELETE", `/v1/files/${file.id}`)).body],
      ["Refusal", (await ask("key-a", "POST", JOBS, {})).body],
    ] as const;
    for (const [name, body] of answers) expect([name, conforms(name, body)]).toEqual([name, "conforms"]);
  });
  for (const body of [
    wish,
    { ...wish, seed: -1 },
    { ...wish, suffix: null },
    { ...wish, suffix: "s".repeat(64) },
    { ...wish, suffix: "s".repeat(65) },
    { model: "tiny" },
    { ...wish, x: 1 },
  ]) {
    const { status } = await ask("key-a", "POST", JOBS, body);
    expect([body, conforms("FineTuningRequest", body) === "conforms"]).toEqual([body, status === 404]);
  }
});
