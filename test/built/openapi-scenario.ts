// A scenario that calls every operation of the OpenAPI document once, in an order in which each can succeed. The first
// request and response of each operation become its example.

import { createHash } from "node:crypto";
import { evaluationCalls } from "@assay/calls/testing";

// biome-ignore lint/suspicious/noExplicitAny: answers of a hundred operations, whose next questions use them.
type Answer = any;

/** A request to an operation. */
export interface Question {
  /** Path and query parameters. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** A text or bytes, sent unchanged; a form; or any other value, sent as JSON. */
  readonly body?: unknown;
  /** The media type of a body other than JSON. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Reads only the first chunk of the response. */
  readonly first?: true;
  /** Not an example, but polling until something has happened. */
  readonly waits?: true;
}

/** Calls an operation by its id; resolves to the response, parsed by its media type. */
export type Ask = (operation: string, question?: Question) => Promise<Answer>;

const P = "acme/demo";
const NDJSON = "application/x-ndjson";
const measure = "scores.match.correct";
const evaluations = { evaluation_call_ids: ["small", "large"] };
const query = { ...evaluations, limit: 2 };

/** Calls all operations. */
export async function scenario(ask: Ask): Promise<void> {
  await importing(ask);
  await results(ask);
  await calls(ask);
  await contents(ask);
  await feedback(ask);
  await runsOfEvaluations(ask);
  await openTelemetry(ask);
  await training(ask);
  await fineTuning(ask);
  await wandb(ask);
  await inference(ask);
  await erasing(ask);
  await serverAndKeys(ask);
}

async function importing(ask: Ask): Promise<void> {
  const lines = (id: string, correct: readonly boolean[]) =>
    evaluationCalls(id, correct)
      .map((call) => JSON.stringify(call))
      .join("\n");
  await ask("importCalls", { type: NDJSON, body: lines("small", [true]) });
  await ask("importCalls", { type: NDJSON, body: lines("small", [true, false, true]) });
  await ask("importCalls", { type: NDJSON, body: lines("large", [true, true, true]) });
  await ask("importRows", { type: NDJSON, body: '{"digest":"row-1","val":{"question":"question 0"}}' });
  await ask("exportCalls");
  await ask("exportRows");
  await ask("listProjects");
}

async function results(ask: Ask): Promise<void> {
  await ask("evalResultsQuery", {
    body: {
      ...{ ...evaluations, include_summary: true, limit: 1 },
      filters: [{ query: { $expr: { $eq: [{ $getField: measure }, { $literal: false }] } } }],
      sort_by: [{ field: measure, direction: "desc", mode: "difference" }],
    },
  });
  await ask("evalResultsCompare", {
    body: { query, baseline: "small", measures: [measure], anytime: false },
  });
  await ask("evalResultsSlices", {
    body: {
      ...{ query, baseline: "small", candidate: "large", measure },
      ...{ fields: ["inputs.question"], min_rows: 1 },
    },
  });
  await ask("evalResultsRanking", { body: { query, measure } });
  await ask("evalResultsPage", { body: { query, measures: [measure] } });
  await ask("evalResultsGroups", { body: { query, by: { field: "inputs.question" }, measures: [measure] } });
  await ask("evalResultsFields", { body: evaluations });
  await ask("evalResultsExport", { parameters: { format: "csv" }, body: { query } });
  await ask("listEvaluations");
  await ask("sayScoreDirections", { body: { directions: [{ field: measure, direction: "higher" }] } });
  await ask("listScoreDirections");
  await ask("watchEvaluations", { parameters: { evaluation: "small" }, first: true });
}

async function calls(ask: Ask): Promise<void> {
  const [started_at, ended_at] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"];
  const start = (id: string) => ({
    ...{ project_id: P, id, trace_id: id, op_name: "answer", started_at },
    ...{ attributes: {}, inputs: { question: "2 + 2?" } },
  });
  const end = (id: string) => ({ project_id: P, id, ended_at, output: "4", summary: {} });
  await ask("weaveCallStart", { body: { start: start("call-1") } });
  await ask("weaveCallEnd", { body: { end: end("call-1") } });
  await ask("weaveCallUpsertBatch", {
    body: {
      batch: [
        { mode: "start", req: { start: start("call-2") } },
        { mode: "end", req: { end: end("call-2") } },
      ],
    },
  });
  await ask("weaveCallUpdate", { body: { project_id: P, call_id: "call-1", display_name: "sum" } });
  await ask("weaveCallRead", { body: { project_id: P, id: "call-1" } });
  await ask("weaveV2EntityProjectCallStart", { body: { start: start("call-3") } });
  await ask("weaveV2EntityProjectCallEnd", { body: { end: end("call-3") } });
  await ask("weaveV2EntityProjectCallsComplete", {
    body: { batch: [{ ...start("call-4"), ...end("call-4") }] },
  });
  const filter = { op_names: ["answer"] };
  await ask("weaveCallsStreamQuery", { body: { project_id: P, filter, limit: 1 } });
  await ask("weaveCallsQueryStats", { body: { project_id: P, filter } });
  await ask("weaveCallsDelete", { body: { project_id: P, call_ids: ["call-3"] } });
}

async function contents(ask: Ask): Promise<void> {
  const rows = [{ question: "2 + 2?" }, { question: "3 + 4?" }];
  const table = await ask("weaveTableCreate", { body: { table: { project_id: P, rows } } });
  const named = { project_id: P, digest: table.digest };
  await ask("weaveTableCreateFromDigests", { body: { project_id: P, row_digests: table.row_digests } });
  await ask("weaveTableUpdate", {
    body: {
      ...{ project_id: P, base_digest: table.digest },
      updates: [{ append: { row: { question: "5 + 6?" } } }, { pop: { index: 0 } }],
    },
  });
  await ask("weaveTableQuery", { body: { ...named, limit: 1 } });
  await ask("weaveTableQueryStats", { body: named });
  await ask("weaveTableQueryStatsBatch", { body: { project_id: P, digests: [table.digest] } });
  const object = { project_id: P, object_id: "sums" };
  const { digest } = await ask("weaveObjCreate", {
    body: { obj: { ...object, val: { rows: `weave:///${P}/table/${table.digest}` } } },
  });
  await ask("weaveObjRead", { body: { ...object, digest } });
  await ask("weaveObjsQuery", { body: { project_id: P, filter: { object_ids: ["sums"] } } });
  await ask("weaveRefsReadBatch", { body: { refs: [`weave:///${P}/object/sums:${digest}`] } });
  await ask("weaveObjDelete", { body: { ...object, digests: [digest] } });
  const form = new FormData();
  form.set("project_id", P);
  form.set("file", new Blob(["What is 2 + 2?"]), "question.txt");
  const file = await ask("weaveFileCreate", { body: form });
  await ask("weaveFileContent", { body: { project_id: P, digest: file.digest } });
}

async function feedback(ask: Ask): Promise<void> {
  const given = {
    ...{ project_id: P, weave_ref: `weave:///${P}/call/call-1` },
    ...{ feedback_type: "wandb.reaction.1", payload: { emoji: "👍" } },
  };
  const { id } = await ask("weaveFeedbackCreate", { body: given });
  await ask("weaveFeedbackBatchCreate", { body: { batch: [{ ...given, payload: { emoji: "👎" } }] } });
  const replaced = await ask("weaveFeedbackReplace", { body: { ...given, feedback_id: id } });
  await ask("weaveFeedbackQuery", { body: { project_id: P, limit: 1 } });
  const isIt = { $expr: { $eq: [{ $getField: "id" }, { $literal: replaced.id }] } };
  await ask("weaveFeedbackPurge", { body: { project_id: P, query: isIt } });
  const cost = { prompt_token_cost: 0.0000005, completion_token_cost: 0.000002 };
  await ask("weaveCostCreate", {
    body: { project_id: P, costs: { small: { ...cost, effective_date: "2026-01-01T00:00:00Z" } } },
  });
  await ask("weaveCostQuery", { body: { project_id: P, limit: 1 } });
  const ofSmall = { $expr: { $eq: [{ $getField: "llm_id" }, { $literal: "small" }] } };
  await ask("weaveCostPurge", { body: { project_id: P, query: ofSmall } });
}

async function runsOfEvaluations(ask: Ask): Promise<void> {
  const refOf = (name: string, { digest }: { readonly digest: string }) =>
    `weave:///${P}/object/${name}:${digest}`;
  const dataset = await ask("createDataset", { body: { name: "sums-data", rows: [{ question: "2 + 2?" }] } });
  const scorer = await ask("createScorer", {
    body: { name: "exact", op_source_code: "def score(output, answer): return output == answer" },
  });
  const model = await ask("createModelObject", { body: { name: "adder", source_code: "class Adder: ..." } });
  const evaluation = await ask("createEvaluationObject", {
    body: { name: "nightly", dataset: refOf("sums-data", dataset), scorers: [refOf("exact", scorer)] },
  });
  const objects = [
    ["Dataset", "Datasets", "sums-data", dataset],
    ["Scorer", "Scorers", "exact", scorer],
    ["ModelObject", "ModelObjects", "adder", model],
    ["EvaluationObject", "EvaluationObjects", "nightly", evaluation],
  ] as const;
  for (const [one, many, object_id, { digest }] of objects) {
    await ask(`list${many}`);
    await ask(`read${one}`, { parameters: { object_id, digest } });
  }
  const { evaluation_run_id } = await ask("createEvaluationRun", {
    body: { evaluation: refOf("nightly", evaluation), model: refOf("adder", model) },
  });
  const { prediction_id } = await ask("createPrediction", {
    body: { model: refOf("adder", model), inputs: { question: "2 + 2?" }, output: "4", evaluation_run_id },
  });
  const { score_id } = await ask("createScore", {
    body: { prediction_id, scorer: refOf("exact", scorer), value: true, evaluation_run_id },
  });
  await ask("listPredictions", { parameters: { evaluation_run_id } });
  await ask("readPrediction", { parameters: { prediction_id } });
  await ask("listScores", { parameters: { evaluation_run_id } });
  await ask("readScore", { parameters: { score_id } });
  await ask("finishPrediction", { parameters: { prediction_id }, body: {} });
  await ask("finishEvaluationRun", { parameters: { evaluation_run_id }, body: {} });
  await ask("listEvaluationRuns");
  await ask("readEvaluationRun", { parameters: { evaluation_run_id } });
  await ask("deleteScore", { parameters: { score_ids: score_id } });
  await ask("deletePrediction", { parameters: { prediction_ids: prediction_id } });
  await ask("deleteEvaluationRun", { parameters: { evaluation_run_ids: evaluation_run_id } });
  for (const [one, , object_id] of objects) await ask(`delete${one}`, { parameters: { object_id } });
}

async function openTelemetry(ask: Ask): Promise<void> {
  const ids = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
  const attribute = (key: string, value: object) => ({ key, value });
  const headers = { project_id: P };
  await ask("exportTraces", {
    headers,
    body: {
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  ...{ ...ids, name: "chat adder", kind: 3 },
                  ...{ startTimeUnixNano: "1767225600000000000", endTimeUnixNano: "1767225601000000000" },
                  attributes: [attribute("gen_ai.operation.name", { stringValue: "chat" })],
                },
              ],
            },
          ],
        },
      ],
    },
  });
  const attributes = [
    attribute("gen_ai.evaluation.name", { stringValue: "exact" }),
    attribute("gen_ai.evaluation.score.value", { doubleValue: 1 }),
  ];
  const record = {
    ...ids,
    timeUnixNano: "1767225602000000000",
    eventName: "gen_ai.evaluation.result",
    attributes,
  };
  await ask("exportLogs", { headers, body: { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] } });
}

async function training(ask: Ask): Promise<void> {
  await ask("system_check");
  const { id: model_id } = await ask("create_model", {
    body: { entity: "acme", project: "demo", name: "sums", base_model: "assay/tiny" },
  });
  await ask("list_models", { parameters: { limit: 1 } });
  await ask("get_model", { parameters: { model_id } });
  const rows = ["What is 1 + 1?", "What is 1 + 2?"].map((content, i) => ({
    messages: [
      { role: "user", content },
      { role: "assistant", content: String(i + 2) },
    ],
  }));
  const data = await ask("upload_training_data", {
    type: NDJSON,
    body: rows.map((row) => JSON.stringify(row)).join("\n"),
  });
  const sft = await ask("create_sft_training_job", {
    body: { model_id, training_data_url: data.training_data_url },
  });
  await ended(ask, sft.id);
  const trajectory = (answer: string, reward: number) => ({
    reward,
    messages_and_choices: [
      { role: "user", content: "What is 1 + 1?" },
      {
        ...{ index: 0, finish_reason: "stop", message: { role: "assistant", content: answer } },
        // The tiny model's tokens are bytes.
        logprobs: {
          content: [{ token: `token_id:${answer.charCodeAt(0)}`, logprob: -0.5, top_logprobs: [] }],
        },
      },
    ],
  });
  const trajectory_groups = [{ trajectories: [trajectory("2", 1), trajectory("3", 0)] }];
  const rl = await ask("create_rl_training_job", { body: { model_id, trajectory_groups } });
  await ended(ask, rl.id);
  await ask("list_training_jobs", { parameters: { limit: 1 } });
  await ask("get_training_job", { parameters: { training_job_id: rl.id } });
  await ask("list_training_job_events", { parameters: { training_job_id: rl.id, limit: 2 } });
  const unwanted = await ask("create_rl_training_job", { body: { model_id, trajectory_groups } });
  await ask("cancel_training_job", { parameters: { training_job_id: unwanted.id } });
  const state = () => ask("get_training_job", { parameters: { training_job_id: unwanted.id }, waits: true });
  while (!/succeeded|failed|cancelled/.test((await state()).status)) await pause();
  await ask("log", { parameters: { model_id }, body: { split: "val", trajectory_groups } });
  await ask("list_checkpoints", { parameters: { model_id, limit: 1 } });
  await ask("get_checkpoint", { parameters: { model_id, step: 1 } });
  const { files } = await ask("get_checkpoint", { parameters: { model_id, step: 1 } });
  const [file] = files ?? [];
  await ask("download_checkpoint_file", {
    parameters: { model_id, step: 1, name: file?.name ?? "weights.bin" },
    first: true,
  });
  await ask("set_alias", { parameters: { model_id, alias: "live" }, body: { step: 1 } });
  await ask("list_aliases", { parameters: { model_id } });
  await ask("list_model_evaluations", { parameters: { model_id } });
  await ask("get_inference_model", { parameters: { model: "assay/tiny" } });
  await ask("delete_alias", { parameters: { model_id, alias: "live" } });
  await ask("delete_checkpoints", { parameters: { model_id }, body: { steps: [1] } });
  await ask("delete_model", { parameters: { model_id } });
}

async function ended(ask: Ask, training_job_id: string): Promise<void> {
  for (let after = ""; ; ) {
    const page = await ask("list_training_job_events", {
      parameters: { training_job_id, wait: 20, ...(after !== "" && { after }) },
      waits: true,
    });
    const last = page.data.at(-1);
    if (last?.type === "training_failed") throw new Error(JSON.stringify(last));
    if (last?.type === "training_ended") return;
    after = last?.id ?? after;
  }
}

function pause(): Promise<void> {
  return new Promise((resume) => setTimeout(resume, 100));
}

async function fineTuning(ask: Ask): Promise<void> {
  const form = new FormData();
  const row = {
    messages: [
      { role: "user", content: "What is 1 + 1?" },
      { role: "assistant", content: "2" },
    ],
  };
  form.set("purpose", "fine-tune");
  form.set("file", new Blob([`${JSON.stringify(row)}\n`.repeat(10)]), "sums.jsonl");
  const file = await ask("create_file", { body: form });
  const file_id = file.id;
  await ask("list_files");
  await ask("retrieve_file", { parameters: { file_id } });
  await ask("download_file", { parameters: { file_id }, first: true });
  const wish = { model: "assay/tiny", training_file: file_id, seed: 1, hyperparameters: { n_epochs: 1 } };
  const { id: job_id } = await ask("create_fine_tuning_job", { body: { ...wish, suffix: "sums" } });
  const job = () => ask("retrieve_fine_tuning_job", { parameters: { job_id }, waits: true });
  while (!/succeeded|failed/.test((await job()).status)) await pause();
  const { fine_tuned_model } = await ask("retrieve_fine_tuning_job", { parameters: { job_id } });
  await ask("list_fine_tuning_jobs", { parameters: { limit: 1 } });
  await ask("list_fine_tuning_events", { parameters: { job_id, limit: 2 } });
  await ask("list_fine_tuning_checkpoints", { parameters: { job_id } });
  const long = { ...wish, hyperparameters: { n_epochs: 50 }, suffix: "long" };
  const other = await ask("create_fine_tuning_job", { body: long });
  await ask("cancel_fine_tuning_job", { parameters: { job_id: other.id } });
  await ask("delete_inference_model", { parameters: { model: fine_tuned_model } });
  await ask("delete_file", { parameters: { file_id } });
}

async function wandb(ask: Ask): Promise<void> {
  const [entity, project] = P.split("/") as [string, string];
  const mutate = async (name: string, input: object, fields: string): Promise<Answer> => {
    const document = `mutation M($input: JSON!) { result: ${name}(input: $input) { ${fields} } }`;
    const { data, errors } = await ask("wandbGraphql", { body: { query: document, variables: { input } } });
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data.result;
  };
  const md5 = (text: string) => createHash("md5").update(text).digest("base64");
  await mutate("upsertBucket", { name: "run-1", entityName: entity, modelName: project }, "inserted");
  const run = { parameters: { run: "run-1" } };
  await ask("wandbFileStream", {
    ...run,
    body: { files: { "wandb-history.jsonl": { offset: 0, content: ['{"_step":0,"loss":0.5}'] } } },
  });
  await ask("listRuns");
  await ask("getRun", run);
  await ask("getRunHistory", run);
  const text = "What is 2 + 2?";
  const contents = { "question.txt": { digest: md5(text), size: text.length } };
  const manifest = JSON.stringify({ version: 1, contents });
  const { artifact } = await mutate(
    "createArtifact",
    {
      ...{ entityName: entity, projectName: project, artifactTypeName: "dataset" },
      ...{ artifactCollectionName: "questions", aliases: [{ alias: "latest" }] },
      digest: createHash("md5").update(manifest).digest("hex"),
    },
    "artifact { id }",
  );
  const upload = (uploadUrl: string, body: string) =>
    ask("wandbUpload", {
      parameters: addressed(uploadUrl),
      type: "application/octet-stream",
      body,
    });
  const { files } = await mutate(
    "createArtifactFiles",
    { artifactFiles: [{ artifactID: artifact.id, name: "question.txt", md5: md5(text) }] },
    "files { edges { node { uploadUrl } } }",
  );
  await upload(files.edges[0].node.uploadUrl, text);
  const { artifactManifest } = await mutate(
    "createArtifactManifest",
    { artifactID: artifact.id, digest: md5(manifest) },
    "artifactManifest { file { uploadUrl } }",
  );
  await upload(artifactManifest.file.uploadUrl, manifest);
  await mutate("commitArtifact", { artifactID: artifact.id }, "artifact { versionIndex }");
  const membership = `query Q($e: String, $p: String) { project(name: $p, entityName: $e) {
    artifactCollectionMembership(name: "questions:latest") { files { edges { node { directUrl } } } } } }`;
  const found = await ask("wandbGraphql", {
    body: { query: membership, variables: { e: entity, p: project } },
  });
  const [{ node }] = found.data.project.artifactCollectionMembership.files.edges;
  await ask("wandbDownload", { parameters: addressed(node.directUrl), first: true });
  const hex = Buffer.from(md5(text), "base64").toString("hex");
  await ask("wandbArtifactFile", {
    parameters: { region: "default", collection: "questions", artifact: "x", md5: hex, file: "question.txt" },
    first: true,
  });
  await ask("deleteArtifact", { parameters: { name: "questions:v0" } });
  await ask("deleteRun", run);
}

/** The path parameter of a signed address. */
function addressed(url: string): Readonly<Record<string, string>> {
  return { address: new URL(url).pathname.split("/").slice(3).join("/") };
}

async function inference(ask: Ask): Promise<void> {
  const messages = [{ role: "user", content: "What is 2 + 2?" }];
  const chat = { model: "assay/tiny", max_tokens: 8, temperature: 0, seed: 1, messages };
  await ask("create_chat_completion", { body: chat });
  await ask("create_chat_completion_slash", { body: chat });
  const { id: response_id } = await ask("create_response", {
    body: { model: "assay/tiny", input: "What is 2 + 2?", max_output_tokens: 16, temperature: 0 },
  });
  await ask("get_response", { parameters: { response_id } });
  await ask("delete_response", { parameters: { response_id } });
  await ask("create_completion", { body: { model: "org/texts", prompt: "2 + 2 =", max_tokens: 1 } });
  await ask("create_embedding", { body: { model: "org/texts", input: ["2 + 2"], encoding_format: "float" } });
  await ask("list_inference_models");
  await ask("get_usage", { parameters: { group_by: "model" } });
}

async function erasing(ask: Ask): Promise<void> {
  await ask("deleteEvaluation", { parameters: { id: "small" } });
  await ask("deleteEvaluations", { parameters: { evaluation: "large" } });
  await ask("deleteProject");
}

async function serverAndKeys(ask: Ask): Promise<void> {
  await ask("health");
  await ask("ready");
  await ask("session");
  await ask("backup", { first: true });
  // Once a key exists, the server requires one.
  const { id, key } = await ask("create_key", { body: { name: "team", scopes: ["*"] } });
  const headers = { authorization: `Bearer ${key}` };
  await ask("list_keys", { headers });
  await ask("revoke_key", { parameters: { id }, headers });
}
