// Two tenants with keys of their own, on every route of the server. Requests with the names and ids of the other tenant
// get the same answers as names and ids that never existed, and change none of its data.

import { openServer } from "@assay/server";
import { evaluationLines } from "@assay/testing/calls";
import { cases } from "@assay/testing/cases";
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
      made.upsertBucket?.bucket.id ?? "none",
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
