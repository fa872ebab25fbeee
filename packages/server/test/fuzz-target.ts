// Fuzz target for the routes of the server: valid and invalid requests made from its own OpenAPI document. Each answer
// conforms to the document, without a server fault or an oversized refusal.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Handler, loopbackAuthentication } from "@assay/adapters-http";
import { evaluationCalls } from "@assay/calls/testing";
import {
  answerChecker,
  type DescribedRequest,
  describedRequests,
  type KnownValues,
  type OpenApi,
} from "@assay/testing/described-requests";
import type { FuzzTarget } from "@assay/testing/fuzz-target";
import fc from "fast-check";
import { openServer } from "../src/index.ts";

const ORIGIN = "http://127.0.0.1:1";
const LONGEST_REFUSAL = 64 * 1024;
/** How much is read of an endless answer, in bytes and milliseconds. */
const READ = { bytes: 1024 * 1024, ms: 300 };

/** Things that requests may delete. */
const DISPENSABLE: KnownValues = {
  entity: ["acme"],
  project: ["bin"],
  project_id: ["acme/bin"],
  id: ["good"],
  object_id: ["thing"],
  call_ids: [["good"]],
};

interface Served {
  readonly handler: Handler;
  readonly document: OpenApi;
  readonly known: KnownValues;
  readonly errors: unknown[];
}

/** A server of all areas over a directory of its own, with data of every kind. */
async function serve(): Promise<Served> {
  const directory = mkdtempSync(join(tmpdir(), "assay-fuzz-routes-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const errors: unknown[] = [];
  const server = await openServer({
    directory: join(directory, "data"),
    page: false,
    authenticate: loopbackAuthentication(),
    // No trainer runs here, so jobs wait for a worker that never comes.
    training: {
      trainers: [{ type: "worker", baseModels: ["remote/*"] }],
      folders: [],
      privateHosts: [],
    },
    onError: (error) => void errors.push(error),
  });
  server.listening(ORIGIN);
  const { handler } = server;
  const document = (await (await handler(new Request(`${ORIGIN}/openapi.json`))).json()) as OpenApi;
  return { handler, document, known: await prepare(handler), errors };
}

/** Creates data, and returns its names and ids. */
async function prepare(handler: Handler): Promise<KnownValues> {
  const post = async (path: string, body: string): Promise<{ readonly [name: string]: unknown }> => {
    const headers = { "content-type": path.endsWith("import") ? "application/x-ndjson" : "application/json" };
    const answer = await handler(new Request(ORIGIN + path, { method: "POST", headers, body }));
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as { readonly [name: string]: unknown };
  };
  const calls = [...evaluationCalls("good", [true, true, false]), ...evaluationCalls("bad", [false, true])];
  await post("/v2/acme/demo/calls/import", calls.map((call) => JSON.stringify(call)).join("\n"));
  const table = await post("/table/create", '{"table":{"project_id":"acme/demo","rows":[{"n":1}]}}');
  const model = await post(
    "/v1/preview/models",
    '{"entity":"acme","project":"demo","name":"fuzzed","base_model":"remote/x"}',
  );
  const job = await post(
    "/v1/preview/training-jobs",
    JSON.stringify({
      model_id: model["id"],
      trajectory_groups: [{ trajectories: [trajectory(0), trajectory(1)] }],
    }),
  );
  const object = await post(
    "/obj/create",
    '{"obj":{"project_id":"acme/demo","object_id":"thing","val":{"a":1}}}',
  );
  const named = (kind: string, more: object = {}) =>
    post(`/v2/acme/demo/${kind}`, JSON.stringify({ name: `a-${kind}`, ...more }));
  const dataset = await named("datasets", { rows: [{ question: "1+1" }] });
  const scorer = await named("scorers", { op_source_code: "def score(): pass" });
  const [evaluation, runModel] = [
    await named("evaluations", {
      dataset: refOf("a-datasets", dataset),
      scorers: [refOf("a-scorers", scorer)],
    }),
    await named("models", { source_code: "class M: pass" }),
  ];
  const run = await post(
    "/v2/acme/demo/evaluation_runs",
    JSON.stringify({ evaluation: refOf("a-evaluations", evaluation), model: refOf("a-models", runModel) }),
  );
  const prediction = await post(
    "/v2/acme/demo/predictions",
    JSON.stringify({
      model: refOf("a-models", runModel),
      inputs: { question: "1+1" },
      output: "2",
      evaluation_run_id: run["evaluation_run_id"],
    }),
  );
  const field = { $getField: "scores.match.correct" };
  const filter = { query: { $expr: { $eq: [field, { $literal: true }] } } };
  return {
    entity: ["acme"],
    project: ["demo", "other"],
    project_id: ["acme/demo", "acme/other"],
    evaluation_call_ids: [["good"], ["good", "bad"], ["bad", "nobody"]],
    baseline: ["good", "bad"],
    evaluation: ["good", "bad"],
    id: ["good", "good-1", "bad-0", "new"],
    job_id: [job["id"]],
    training_job_id: [job["id"]],
    object_id: ["thing", "a-datasets", "a-scorers", "a-evaluations", "a-models"],
    evaluation_run_id: [run["evaluation_run_id"]],
    evaluation_run_ids: [run["evaluation_run_id"], "x"],
    prediction_id: [prediction["prediction_id"]],
    prediction_ids: [prediction["prediction_id"]],
    obj: [{ project_id: "acme/demo", object_id: "thing", val: { a: 2 } }],
    refs: [[`weave:///acme/demo/object/thing:${String(object["digest"])}`]],
    weave_ref: ["weave:///acme/demo/call/good-1"],
    scopes: [["acme/demo"]],
    base_model: ["remote/x"],
    trajectory_groups: [[{ trajectories: [trajectory(0), trajectory(1)] }]],
    group_by: ["model"],
    step: [0, 1],
    key: ["x"],
    wait: [0],
    dataset: [refOf("a-datasets", dataset)],
    evaluation_ref: [refOf("a-evaluations", evaluation)],
    scorers: [[refOf("a-scorers", scorer)]],
    ids: [["good", "bad-1"]],
    call_ids: [["good-1"]],
    filters: [[filter], [filter, filter]],
    sort_by: [[{ field: "scores.match.correct", direction: "asc", mode: "difference" }]],
    measure: ["scores.match.correct"],
    measures: [["scores.match.correct"]],
    cluster_by: ["inputs.question"],
    reduce: ["mean", "majority"],
    field: ["scores.match.correct", "inputs.question"],
    digest: [table, object, dataset, scorer, evaluation, runModel].map(({ digest }) => digest),
    base_digest: [table["digest"]],
    model_id: [model["id"]],
    model: ["assay/tiny"],
    messages: [[{ role: "user", content: "What is 1+1?" }]],
    max_tokens: [1, 4],
    max_completion_tokens: [1, 4],
    max_output_tokens: [1, 4],
    input: ["hi"],
    n: [1, 2],
    started_at: ["2026-01-01T00:00:00Z"],
    ended_at: ["2026-01-01T00:00:01Z"],
    limit: [1, 10],
  };
}

/** The reference to version `digest` of an object. */
function refOf(name: string, { digest }: { readonly [name: string]: unknown }): string {
  return `weave:///acme/demo/object/${name}:${String(digest)}`;
}

/** A trajectory with one answer. */
function trajectory(reward: number): object {
  const logprobs = { content: [{ token: "x", logprob: -1, top_logprobs: [] }] };
  const choice = { logprobs, finish_reason: "stop", index: 0, message: { role: "assistant", content: "x" } };
  return { reward, messages_and_choices: [{ role: "user", content: "x" }, choice] };
}

/** Reads an answer, or the first part of an endless one. */
async function textOf(answer: Response, leaving: AbortController): Promise<string> {
  if (answer.body === null) return "";
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  const deadline = Date.now() + READ.ms;
  let text = "";
  for (;;) {
    const late = new Promise<undefined>((resolve) =>
      setTimeout(resolve, isStream(answer) ? Math.max(0, deadline - Date.now()) : 60_000),
    );
    const piece = await Promise.race([reader.read(), late]);
    if (piece === undefined || piece.done) break;
    text += decoder.decode(piece.value, { stream: true });
    if (text.length > READ.bytes) break;
  }
  leaving.abort();
  await reader.cancel().catch(() => {});
  return text;
}

/** Whether an answer continues as long as a client reads it. */
function isStream(answer: Response): boolean {
  return /event-stream|ndjson/.test(answer.headers.get("content-type") ?? "");
}

/** The property that every request satisfies. All requests go to one server, in sequence. */
async function fuzzedRoutes(): Promise<fc.IAsyncProperty<[DescribedRequest]>> {
  const served = await serve();
  const check = answerChecker(served.document);
  return fc.asyncProperty(describedRequests(served.document, served.known, DISPENSABLE), (request) =>
    assertAnswer(served, check, request),
  );
}

async function assertAnswer(
  { handler, errors }: Served,
  check: ReturnType<typeof answerChecker>,
  { operation, method, path, headers, body }: DescribedRequest,
): Promise<void> {
  errors.length = 0;
  const leaving = new AbortController();
  const { signal } = leaving;
  const request = new Request(ORIGIN + path, {
    signal,
    method,
    headers,
    ...(body !== undefined && { body: Buffer.from(body) }),
  });
  const answer = await handler(request);
  const text = await textOf(answer, leaving);
  const { status } = answer;
  const fail = (why: string) => {
    throw new Error(`${method} ${path}: ${why}\n${text.slice(0, 500)}\n${errors.map(String).join("\n")}`);
  };
  if (errors.length > 0) fail(`${status}, a fault of the server's`);
  if (status >= 500 && status !== 501) fail(`${status}`);
  if (status >= 400 && text.length > LONGEST_REFUSAL) fail(`a refusal of ${text.length} characters`);
  if (status >= 400 && !/[a-z]{2}/.test(text)) fail(`${status} without a word`);
  if (isStream(answer)) return;
  const wrong = check(operation, status, answer.headers.get("content-type") ?? "", text);
  if (wrong !== undefined) fail(wrong);
}

/** For `npm run fuzz`. */
export const routesTarget: FuzzTarget = {
  name: "routes",
  what: "valid and invalid requests to every route, from the OpenAPI document: answers conform, and none is a 5xx",
  patience: 60_000,
  memory: 1024,
  few: 60,
  property: fuzzedRoutes,
};
