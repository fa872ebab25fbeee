// Two tenants with keys of their own, on every route of the server. Requests with the names and ids of the other tenant
// get the same answers as names and ids that never existed, and change none of its data.

import { openServer } from "@assay/server";
import { evaluationLines } from "@assay/testing/calls";
import { cases } from "@assay/testing/cases";
import { describedRequests, type KnownValues, type OpenApi } from "@assay/testing/described-requests";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { folder } from "./run-in-process.ts";

/** `NAME` is part of every name of the other tenant, and `SECRET` of all its content. */
const NAME = "sesame";
const SECRET = "tahini";
const RUNS = cases(300);
/** The silence, in milliseconds, after which the test stops reading an endless stream. */
const STREAM_MS = 60;

type Body = { readonly [name: string]: unknown };

/** A server over a fresh directory, without a socket, and functions that send it requests. */
async function servedTenants() {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const server = await openServer({ directory: folder(), apiKey: "owner", page: false, onError });
  server.listening("http://127.0.0.1:1");
  onTestFinished(() => server.close());

  /** The status of `key`'s request, and the text of the answer or of the start of its stream. */
  const ask = async (key: string, method: string, path: string, body?: unknown, more: object = {}) => {
    const json = body !== undefined && typeof body !== "string" && !(body instanceof FormData);
    const type = json ? "application/json" : typeof body === "string" ? "application/x-ndjson" : undefined;
    const stop = new AbortController();
    const request = new Request(`http://host${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(type && { "content-type": type }), ...more },
      ...(body !== undefined && { body: json ? JSON.stringify(body) : (body as string | FormData) }),
      signal: stop.signal,
    });
    const response = await server.handler(request);
    const text = await readStart(response);
    stop.abort();
    return { status: response.status, text };
  };
  /** The JSON of a successful answer. */
  const get = async (...of: Parameters<typeof ask>) => {
    const { status, text } = await ask(...of);
    if (status !== 200) throw new Error(`${of.slice(1, 3).join(" ")}: ${status} ${text}`);
    // biome-ignore lint/suspicious/noExplicitAny: the bodies of answers are what the test is about.
    return JSON.parse(text) as any;
  };
  const routes = server.routes.filter(({ path }) => path !== "/*");
  /** The body of an answer, once `isOver` accepts it. */
  const settled = async (key: string, path: string, isOver: (body: Body) => boolean) => {
    for (;;) {
      const body = await get(key, "GET", path);
      if (isOver(body)) return body;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { ask, errors, get, routes, settled };
}

/** The text of an answer, or the first events of a stream that stays open. */
async function readStart(response: Response): Promise<string> {
  const isOpen = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isOpen || response.body === null) return response.text();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const silence = new Promise<undefined>((resolve) => setTimeout(resolve, STREAM_MS));
    const piece = await Promise.race([reader.read(), silence]);
    if (piece === undefined || piece.done) break;
    text += piece.value;
  }
  void reader.cancel();
  return text;
}

/** Creates one thing of each kind, with the secret in its names and content; returns their names and ids. */
async function fill(
  { get, ask, settled }: Awaited<ReturnType<typeof servedTenants>>,
  key: string,
  entity: string,
) {
  const [project, name] = ["p", NAME];
  const row = JSON.stringify({
    messages: [
      { role: "user", content: "who?" },
      { role: "assistant", content: SECRET },
    ],
  });
  const preview = "/v1/preview";
  const wish = { entity, project, name, base_model: "assay/tiny" };
  const model = await get(key, "POST", `${preview}/models`, wish);
  const uploaded = await get(key, "POST", `${preview}/training-data`, row);
  const submit = (config: object) =>
    get(key, "POST", `${preview}/sft-training-jobs`, {
      model_id: model.id,
      training_data_url: uploaded.training_data_url,
      experimental_config: config,
    });
  const job = await submit({ epochs: 1 });
  await settled(key, `${preview}/training-jobs/${job.id}`, ({ finished_at }) => finished_at !== null);
  const { data: checkpoints } = await get(key, "GET", `${preview}/models/${model.id}/checkpoints`);
  await get(key, "PUT", `${preview}/models/${model.id}/aliases/${NAME}`, { step: 1 });
  const { data: events } = await get(key, "GET", `${preview}/training-jobs/${job.id}/events`);

  const form = new FormData();
  form.set("purpose", "fine-tune");
  form.set("file", new Blob([row]), `${NAME}.jsonl`);
  const file = await get(key, "POST", "/v1/files", form);
  const tuning = await get(key, "POST", "/v1/fine_tuning/jobs", {
    model: "assay/tiny",
    training_file: file.id,
    suffix: NAME,
  });
  const ended = await settled(
    key,
    `/v1/fine_tuning/jobs/${tuning.id}`,
    (body) => body["finished_at"] !== null,
  );
  const { data: tuned } = await get(key, "GET", `/v1/fine_tuning/jobs/${tuning.id}/checkpoints`);

  // One job that trains during the whole test, and one that waits behind it.
  const running = await submit({ epochs: 1_000_000 });
  const queued = await submit({ epochs: 1 });

  const run = {
    query: "mutation U($i: JSON!) { upsertBucket(input: $i) { bucket { id name } } }",
    variables: { i: { entityName: entity, modelName: project, name: `${NAME}-run`, config: "{}" } },
  };
  const made = await get(key, "POST", "/graphql", run);
  const lines = {
    "wandb-history.jsonl": { offset: 0, content: [JSON.stringify({ _step: 0, [SECRET]: 1 })] },
  };
  await get(key, "POST", `/files/${entity}/${project}/${NAME}-run/file_stream`, { files: lines });

  const trained = `wandb-artifact:///${entity}/${project}/${name}`;
  const calls = evaluationLines(`${NAME}-evaluation`, [true]).map((line) => line.replace("answer", SECRET));
  await get(key, "POST", `/v2/${entity}/${project}/calls/import`, calls.join("\n"));
  await get(key, "POST", "/v1/chat/completions", {
    model: trained,
    messages: [{ role: "user", content: "who?" }],
    max_tokens: 2,
  });
  await ask(key, "GET", `/v2/${entity}/${project}/eval_results/evaluations`);
  return {
    entity,
    project,
    ids: [model.id, job.id, running.id, queued.id, checkpoints[0].id, events[0].id, file.id, tuning.id],
    names: [
      ...[trained, `${trained}:step1`, `${trained}:${NAME}`, ended.fine_tuned_model],
      ...[tuned[0].id, name, `${NAME}-run`, `${NAME}-evaluation`, `${NAME}-evaluation-0`, "1", "v1"],
      made.data.upsertBucket.bucket.id,
    ] as string[],
    running: running.id as string,
  };
}

type Tenant = Awaited<ReturnType<typeof fill>>;

/** Everything that a tenant's key sees, except the progress of the running job, once that job has started. */
async function everything(
  { get, ask, settled }: Awaited<ReturnType<typeof servedTenants>>,
  key: string,
  tenant: Tenant,
) {
  const preview = "/v1/preview";
  const [model = "", job] = tenant.ids;
  const isUnderWay = ({ status }: Body) => status !== "queued" && status !== "starting";
  await settled(key, `${preview}/training-jobs/${tenant.running}`, isUnderWay);
  const lists = await Promise.all(
    [
      ...[
        `${preview}/models`,
        `${preview}/models/${model}/checkpoints`,
        `${preview}/models/${model}/aliases`,
      ],
      ...[`${preview}/training-jobs/${job}/events`, "/v1/files", "/v1/models", "/v1/usage"],
      `/v2/${tenant.entity}/p/runs/${NAME}-run/history`,
      `/v2/${tenant.entity}/p/eval_results/evaluations`,
    ].map((path) => get(key, "GET", path)),
  );
  const { data: jobs } = await get(key, "GET", `${preview}/training-jobs`);
  const { data: tunings } = await get(key, "GET", "/v1/fine_tuning/jobs");
  const states = [...jobs, ...tunings].map(({ id, status }: { id: string; status: string }) => [id, status]);
  const { text } = await ask(key, "GET", `/v2/${tenant.entity}/p/calls/export`);
  return JSON.stringify([lists, states, text]);
}

test("no route reveals or changes another tenant's data", async () => {
  const server = await servedTenants();
  const { ask, errors, get, routes } = server;
  const keyOf = async (entity: string) =>
    (await get("owner", "POST", "/v1/keys", { name: entity, scopes: [`${entity}/p`] })).key as string;
  const [mine, theirs] = [await keyOf("team-a"), await keyOf("team-b")];
  const other = await fill(server, theirs, "team-b");
  const before = await everything(server, theirs, other);
  expect(before).toContain(SECRET);

  // Team-a's own lists while they are empty.
  for (const { method, path } of routes.filter((route) => route.method === "GET")) {
    const named = path
      .replace(":entity", "team-a")
      .replace(":project", "p")
      .replaceAll(/:\w+(?:\{[^}]*\})?|\*/g, "x");
    const { text } = await ask(mine, method, named);
    expect(text, path).not.toMatch(new RegExp(`${NAME}|${SECRET}|team-b`));
  }

  // The counterpart of a name or id of the other tenant that never existed.
  const unknown = (text: string) =>
    text
      .replaceAll(NAME, "nobody")
      .replaceAll("team-b", "team-c")
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "00000000-0000-4000-8000-000000000000");
  const known = [...other.ids, ...other.names];
  const asked = new Set<string>();
  const strip = (text: string, name: string) =>
    [other.entity, "team-c", name, encodeURIComponent(name), unknown(name), encodeURIComponent(unknown(name))]
      .sort((a, b) => b.length - a.length)
      .reduce((rest, one) => (one.length > 2 ? rest.replaceAll(one, "·") : rest), text)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|"(duration|created(_at)?)":\s*[^,}]+|sesame|nobody/g, "·");

  await fc.assert(
    fc.asyncProperty(
      fc.nat(routes.length - 1),
      fc.constantFrom(...known),
      fc.boolean(),
      async (at, name, streams) => {
        const route = routes[at]!;
        const method = route.method === "ALL" ? "POST" : route.method;
        const question = (entity: string, called: string) => {
          const path = route.path
            .replace(":entity", entity)
            .replace(":project", "p")
            .replace(":step", "1")
            .replaceAll(/:\w+(?:\{[^}]*\})?|\*/g, encodeURIComponent(called));
          const body = bodyFor(route.path, entity, called);
          const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
          const more = { "openai-project": `${entity}/p`, ...(streams && { accept: "text/event-stream" }) };
          return ask(mine, method, path, hasBody ? body : undefined, more);
        };
        asked.add(`${method} ${route.path}`);
        const [foreign, never] = [await question("team-b", name), await question("team-c", unknown(name))];
        const what = `${method} ${route.path} with ${name}: ${foreign.text.slice(0, 300)}`;
        expect(`${foreign.status} ${strip(foreign.text, name)}`, what).toBe(
          `${never.status} ${strip(never.text, unknown(name))}`,
        );
        // With the other tenant's ids in team-a's own project.
        const own = await question("team-a", name);
        expect(own.text, what).not.toContain(SECRET);
      },
    ),
    { numRuns: RUNS, seed: Number(process.env["ASSAY_SEED"] ?? 7) },
  );
  expect(asked.size).toBeGreaterThan(Math.min(60, RUNS / 10));
  expect(await everything(server, theirs, other)).toBe(before);

  // Deleting a project briefly stops the jobs of all tenants, but costs none of them an attempt.
  const running = `/v1/preview/training-jobs/${other.running}`;
  const { attempt, max_attempts } = await get(theirs, "GET", running);
  for (let deleted = 1; deleted <= max_attempts; deleted++) {
    await get(mine, "POST", "/v2/team-a/p/calls/import", evaluationLines("e", [true]).join("\n"));
    await get(mine, "DELETE", "/v2/team-a/p");
    expect(await everything(server, theirs, other)).toBe(before);
    expect(await get(theirs, "GET", running)).toMatchObject({ attempt: attempt + deleted });
  }
  await get(theirs, "POST", `/v1/preview/training-jobs/${other.running}/cancel`);
  expect(errors).toEqual([]);
});

/** A body that would affect the thing called `called` if it were allowed. */
function bodyFor(path: string, entity: string, called: string): unknown {
  const messages = [{ role: "user", content: "who?" }];
  const project_id = `${entity}/p`;
  if (path.endsWith("/import")) return evaluationLines(called, [true]).join("\n");
  if (path === "/v1/files") {
    const form = new FormData();
    form.set("purpose", "fine-tune");
    form.set("file", new Blob([JSON.stringify({ messages })]), "rows.jsonl");
    return form;
  }
  return {
    ...{ model: called, model_id: called, training_file: called, messages, input: "who?", prompt: "who?" },
    ...{ entity, project: "p", project_id, name: called, base_model: "assay/tiny", max_tokens: 1 },
    ...{ training_data_url: `wandb-artifact:///${entity}/p/${called}:v0`, trajectory_groups: [] },
    ...{ step: 1, steps: [1], split: "val", evaluation_call_ids: [called], id: called, ids: [called] },
    ...{ call_ids: [called], refs: [`weave:///${project_id}/object/${called}:v0`], scopes: [project_id] },
    ...{
      object_id: called,
      digest: called,
      req: { project_id, id: called },
      worker: "w",
      base_models: ["assay/tiny"],
    },
    query: 'query Q($e: String, $n: String) { project(name: "p", entityName: $e) { run(name: $n) { id } } }',
    variables: { e: entity, n: called },
    files: { "wandb-history.jsonl": { offset: 0, content: ["{}"] } },
  };
}

/** Logs one thing of each kind; returns values for the parameters and members of requests that name them. */
async function log({ get }: Awaited<ReturnType<typeof servedTenants>>, key: string, project: string) {
  const post = (path: string, body: unknown) => get(key, "POST", path, body);
  const named = async (kind: string, more: object) => {
    const { digest } = await post(`/v2/${project}/${kind}s`, { name: `${NAME}-${kind}`, ...more });
    return { digest, ref: `weave:///${project}/object/${NAME}-${kind}:${digest}` };
  };
  const calls = evaluationLines(`${NAME}-evaluation`, [true]).map((line) => line.replace("answer", SECRET));
  await post(`/v2/${project}/calls/import`, calls.join("\n"));
  const table = await post("/table/create", { table: { project_id: project, rows: [{ n: SECRET }] } });
  const thing = { project_id: project, object_id: `${NAME}-thing`, val: { a: SECRET } };
  const object = await post("/obj/create", { obj: thing });
  const dataset = await named("dataset", { rows: [{ question: SECRET }] });
  const scorer = await named("scorer", { op_source_code: SECRET });
  const evaluation = await named("evaluation", { dataset: dataset.ref, scorers: [scorer.ref] });
  const model = await named("model", { source_code: SECRET });
  const { evaluation_run_id } = await post(`/v2/${project}/evaluation_runs`, {
    evaluation: evaluation.ref,
    model: model.ref,
  });
  const answered = { model: model.ref, inputs: { question: SECRET }, output: SECRET, evaluation_run_id };
  const { prediction_id } = await post(`/v2/${project}/predictions`, answered);
  const scored = { prediction_id, scorer: scorer.ref, value: true };
  const { score_id } = await post(`/v2/${project}/scores`, scored);
  const about = `weave:///${project}/call/${NAME}-evaluation-0`;
  const note = { feedback_type: NAME, payload: { note: SECRET } };
  const feedback = await post("/feedback/create", { project_id: project, weave_ref: about, ...note });
  const costs = { [NAME]: { prompt_token_cost: 1, completion_token_cost: 1 } };
  const cost = await post("/cost/create", { project_id: project, costs });
  const form = new FormData();
  form.set("project_id", project);
  form.set("file", new Blob([SECRET]), "f");
  const file = await post("/file/create", form);
  const chat = { model: "assay/tiny", input: SECRET, max_output_tokens: 2, user: NAME };
  const response = await post("/v1/responses", chat);
  const [row] = table.row_digests;
  const digests = [table, object, dataset, scorer, evaluation, model, file].map(({ digest }) => digest);
  const ids = [`${NAME}-evaluation`, evaluation_run_id];
  return {
    ...{
      entity: ["team-b", "team-a"],
      project: ["p"],
      project_id: [project, "team-a/p"],
      scopes: [[project]],
    },
    ...{ evaluation_call_ids: [ids], evaluation_run_ids: [ids], call_ids: [ids], ids: [ids] },
    ...{
      id: [...ids, prediction_id, feedback.id, cost.ids[0][1]],
      parent_id: ids,
      trace_id: ids,
      named: ids,
    },
    ...{ baseline: ids, evaluation: [...ids, evaluation.ref], evaluation_ref: [evaluation.ref], after: ids },
    ...{ digest: digests, digests: [digests], base_digest: [table.digest], row_digests: [[row]] },
    ...{ object_id: ["thing", "dataset", "scorer", "evaluation", "model"].map((kind) => `${NAME}-${kind}`) },
    refs: [[dataset.ref], [scorer.ref], [`weave:///${project}/table/${table.digest}/id/${row}`]],
    ...{ dataset: [dataset.ref], scorer: [scorer.ref, NAME], scorers: [[scorer.ref]], model: [model.ref] },
    ...{ evaluations: [evaluation.ref], models: [model.ref], weave_ref: [about], llm_ids: [[NAME]] },
    ...{ evaluation_run_id: [evaluation_run_id], prediction_id: [prediction_id], score_id: [score_id] },
    ...{ prediction_ids: [prediction_id], score_ids: [score_id], feedback_id: [feedback.id], user: [NAME] },
    ...{ previous_response_id: [response.id], group_by: ["key", "user"], run: [NAME], name: [NAME] },
    ...{ expand_columns: [["inputs.example"]], measure: ["scores.match.correct"], limit: [1], wait: [0] },
    ...{ filters: [[]], row_filters: [[]], sort_by: [[]], started_at: ["2026-01-01T00:00:00Z"] },
    "OpenAI-Project": [project],
  } satisfies KnownValues;
}

test("no valid request reveals or changes what another tenant logged", async () => {
  const server = await servedTenants();
  const { ask, errors, get } = server;
  const keyOf = async (scope: string) =>
    (await get("owner", "POST", "/v1/keys", { name: scope, scopes: [scope] })).key as string;
  const [mine, theirs] = [await keyOf("team-a/*"), await keyOf("team-b/p")];
  const known = await log(server, theirs, "team-b/p");
  const everything = async () => {
    const of = { project_id: "team-b/p" };
    const bodies = { "/objs/query": of, "/feedback/query": of, "/cost/query": of };
    const asked = Object.entries(bodies).map(([path, body]) => get(theirs, "POST", path, body));
    const { text } = await ask(theirs, "GET", "/v2/team-b/p/calls/export");
    return JSON.stringify([await Promise.all(asked), text]);
  };
  const before = await everything();
  expect(before).toContain(SECRET);

  // The names and digests of things that never existed, as long as those that do.
  const digests = [...known.digest, known.row_digests[0]![0]!] as string[];
  const unknown = (text: string) =>
    digests
      .reduce((rest, digest) => rest.replaceAll(digest, "z".repeat(digest.length)), text)
      .replaceAll(NAME, "nobody")
      .replaceAll("team-b", "team-c")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "00000000-0000-4000-8000-000000000000");
  const strip = (text: string) =>
    unknown(text)
      .replaceAll(/team-[ac]\/[pqr]\d*|team-[ac]|[\w-]{36,}/g, "·")
      .replaceAll(/model-[0-9a-f]{8}|\d{4}-\d\d-\d\dT[\d:.]+Z?|"(created(_at)?|duration)":\s*[\d.]+/g, "·");

  const document = (await get(mine, "GET", "/openapi.json")) as OpenApi;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(describedRequests(document, known, known), async ({ operation, ...request }) => {
      // Each request has an empty project of the own team, in which no earlier one left anything.
      count++;
      const send = async (change: (text: string) => string) => {
        const body = request.body && change(Buffer.from(request.body).toString());
        const { "Idempotency-Key": _, ...headers } = request.headers;
        return ask(mine, request.method, change(request.path), body, headers);
      };
      const inProject = (name: string) => (text: string) =>
        text.replaceAll(/team-a(\/|%2F)[^/?&"\s]+/g, `team-a$1${name}${count}`);
      const foreign = await send(inProject("q"));
      const never = await send((text) => inProject("r")(unknown(text)));
      const what = `${request.method} ${request.path} ${request.body && Buffer.from(request.body)}`;
      expect(foreign.text, what).not.toContain(SECRET);
      // The answers of models differ each time.
      const isSampled = /^post \/v1\/(chat|responses|completions)/.test(operation);
      const shown = ({ status, text }: typeof foreign) => `${status} ${isSampled ? "" : strip(text)}`;
      expect(shown(foreign), what).toBe(shown(never));
    }),
    { numRuns: cases(3000), seed: Number(process.env["ASSAY_SEED"] ?? 7) },
  );
  expect(await everything()).toBe(before);
  expect(errors).toEqual([]);
});
