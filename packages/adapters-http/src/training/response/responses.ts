// Responses of the training routes: published bodies for success, and refusals in a format for all clients, `{"detail":
// …, "error": {message, type, param, code}}`.

import type { Issue, Json } from "@assay/base";
import { jsonPieces, nextTurn } from "@assay/base/internal";
import type { Checkpoint, Job, JobEvent, Model } from "@assay/training-core";
import { type Page, publicEvent, statusOf } from "@assay/training-core/internal";
import { type ErrorParts, errorResponse, type Problem } from "../../response/problem.ts";
import { streamResponse } from "../../response/stream-response.ts";
import { truncateIssues } from "../../response/truncate-issues.ts";

/** A JSON answer with status 200. */
export function answer(body: Json): Response {
  return Response.json(body);
}

/** The same for a possibly long answer, which is written while it is sent. */
export async function answerInPieces(body: Json): Promise<Response> {
  const texts = gathered(jsonPieces(body));
  const first = texts.next().value ?? "";
  const second = texts.next();
  const type = "application/json";
  if (second.done === true) return new Response(first, { headers: { "content-type": type } });
  return streamResponse(encoded([first, second.value], texts), type);
}

const PIECE = 64 * 1024;

/** Combines small chunks until they are worth sending. */
function* gathered(pieces: Iterable<string>): Generator<string, undefined> {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

async function* encoded(...all: readonly Iterable<string>[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const texts of all) {
    for (const text of texts) {
      yield encoder.encode(text);
      await nextTurn();
    }
  }
}

/** A refusal. A 409 of this service is final: a header tells clients not to retry. */
export function refusal(problem: Problem, parts: ErrorParts = {}): Response {
  const { status, headers } = problem;
  const final = { ...headers, ...(status === 409 && { "x-should-retry": "false" }) };
  return errorResponse({ ...problem, headers: final }, { type: TYPES[status], ...parts });
}

const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  404: "not_found_error",
  409: "conflict_error",
  429: "rate_limit_error",
};

/** The issues of a request with their paths: the code of the first issue determines the status. */
export function refuseIssues(all: readonly Issue[], where: "body" | "query" | "path" = "body"): Response {
  const issues = truncateIssues(all);
  const [first] = issues;
  if (first === undefined) throw new Error("a refusal needs an issue");
  const status = STATUS[first.code] ?? 422;
  const param = first.path.join(".") || undefined;
  if (status !== 422) return refusal({ status, detail: first.message }, { code: first.code, param });
  const detail = issues.map(({ path, message, code }) => ({
    loc: [where, ...path],
    msg: message,
    type: code,
  }));
  return refusal({ status, detail }, { code: first.code, param });
}

const STATUS: Readonly<Record<string, number>> = {
  model_not_found: 404,
  job_not_found: 404,
  checkpoint_not_found: 404,
  conflict: 409,
  ended: 409,
  idempotency_key: 409,
};

/** Nothing exists here, or nothing that this client may see. */
export function notFound(what: string): Response {
  return refusal({ status: 404, detail: `there is no such ${what}` }, { code: `${what}_not_found` });
}

/** The views of objects for clients. */
export interface View {
  readonly id: string;
  readonly [name: string]: Json;
}

/** A page, in the common format of lists of this interface. */
export function list<T>(page: Page<T>, view: (item: T) => View): Response {
  const data = page.items.map(view);
  return answer({
    object: "list",
    data,
    first_id: data[0]?.id ?? "",
    last_id: data.at(-1)?.id ?? "",
    has_more: page.hasMore,
  });
}

/** A model, as creating it returns it. */
export function modelView(model: Model): View {
  const { id, entity, project, name, baseModel } = model;
  return { id, entity, project, name, base_model: baseModel, run_id: name };
}

/** A checkpoint, as lists show it. */
export function checkpointView({ id, step, metrics }: Checkpoint): View {
  return { id, step, metrics };
}

/** An event, as lists and streams return it. */
export function eventView(event: JobEvent): View {
  const { id, type, data } = publicEvent(event);
  return { id, type, created_at: time(event.at), data };
}

/** A job. Only its `id` is documented upstream; the rest is for people. */
export function jobView(job: Job): View {
  return {
    id: job.id,
    object: "training.job",
    type: job.kind,
    status: statusOf(job),
    model_id: job.modelId,
    created_at: time(job.createdAt),
    started_at: time(job.startedAt),
    finished_at: time(job.finishedAt),
    attempt: job.attempt,
    max_attempts: job.maxAttempts,
    progress: { step: job.steps, total: job.plan?.sequences ?? null },
    num_submitted: job.size,
    num_trainable: job.trainable,
    skipped: job.skipped.map(({ group, trajectory, reason }) => ({ group, trajectory, reason })),
    warnings: (job.warnings ?? []).map(({ code, message, count }) => ({ code, message, count })),
    checkpoint_step: job.checkpoint?.step ?? null,
    error: job.error === undefined ? null : { code: job.error.code, message: job.error.message },
  };
}

function time(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
