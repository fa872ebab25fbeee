// Authorizes requests: determines the caller and the requested object, as the first step of every training route.

import type { Issue, Result, Steps } from "@assay/base";
import type { Job, Model, TrainingService } from "@assay/training-core";
import type { IdempotencyKey } from "@assay/training-core/internal";
import { WWW_AUTHENTICATE } from "../../auth/www-authenticate.ts";
import { type BodyLimits, type Reader, type Refusal, readJsonBody } from "../../request/body.ts";
import type { MemoryBudget } from "../../request/memory-budget.ts";
import type { Authenticate, Principal } from "../../request/principal.ts";
import { inTimeSlices } from "../../request/time-slices.ts";
import type { Answer, Handlers, RouteRequest } from "../../routing/operation.ts";
import { notFound, refusal, refuseIssues } from "../response/responses.ts";
import { bodyFingerprint } from "./body-fingerprint.ts";

/** A request of an authorised caller. */
export interface AuthenticatedRequest extends RouteRequest {
  readonly principal: Principal;
}

/** Answers a request. */
export type AuthenticatedAnswer = (incoming: AuthenticatedRequest) => Promise<Response>;

/** `acts` for authorised callers, and 401 for all others. */
export function authenticated(
  authenticate: Authenticate,
  acts: { readonly [id: string]: AuthenticatedAnswer | undefined },
): Handlers {
  const entries = Object.entries(acts).map(([id, act]) => [id, act && forKeys(authenticate, act)] as const);
  return Object.fromEntries(entries);
}

function forKeys(authenticate: Authenticate, act: AuthenticatedAnswer): Answer {
  return async (asked) => {
    const principal = await authenticate(asked.request);
    if (principal !== undefined) return act({ ...asked, principal });
    const detail = 'a valid API key is needed: "Authorization: Bearer KEY"';
    const headers = { "WWW-Authenticate": WWW_AUTHENTICATE };
    return refusal({ status: 401, detail, headers }, { code: "invalid_api_key" });
  };
}

/**
 * The model in the path, if the principal may see it; otherwise the answer that it does not exist. A deleted model is
 * only found for deleting it again.
 */
export async function withModel(
  { store }: TrainingService,
  incoming: AuthenticatedRequest,
  act: (model: Model) => Promise<Response>,
  { deleted = false }: { readonly deleted?: boolean } = {},
): Promise<Response> {
  const model = await store.model(incoming.param("model_id"));
  const visible = model !== undefined && incoming.principal.allows(model.entity, model.project);
  if (!visible || (model.deleted !== undefined && !deleted)) return notFound("model");
  return act(model);
}

/** The job in the path, if the principal may see it; otherwise the answer that it does not exist. */
export async function withJob(
  { store }: TrainingService,
  incoming: AuthenticatedRequest,
  act: (job: Job) => Promise<Response>,
): Promise<Response> {
  const job = await store.job(incoming.param("training_job_id"));
  const model = job && (await store.model(job.modelId));
  const visible = model !== undefined && incoming.principal.allows(model.entity, model.project);
  return job !== undefined && visible ? act(job) : notFound("job");
}

/** How to read bodies, and the memory budget that they share. */
export interface BodyRules {
  readonly limits: BodyLimits;
  readonly underWay: MemoryBudget;
}

/** The result of `read` for the request's JSON body; otherwise the refusal with its issues. */
export async function withBody<T>(
  incoming: AuthenticatedRequest,
  { limits, underWay }: BodyRules,
  read: (raw: unknown) => Result<T> | Steps<Result<T>>,
  act: (value: T, once: IdempotencyKey | undefined) => Promise<Response>,
  refuse: (issues: readonly Issue[]) => Response = refuseIssues,
): Promise<Response> {
  const place = underWay.reserve(incoming.principal.id);
  const key = incoming.request.headers.get("idempotency-key") || undefined;
  const fingerprint = key === undefined ? undefined : bodyFingerprint();
  try {
    const reader = { place, onBytes: fingerprint?.push };
    const found = await readValue(incoming.request, { limits, reader, read });
    if ("status" in found) return refuseBody(found);
    if (!found.ok) return refuse(found.issues);
    return await act(
      found.value,
      key === undefined ? undefined : onceOf(incoming, key, fingerprint!.digest()),
    );
  } finally {
    place.release();
  }
}

interface ValueReading<T> {
  readonly limits: BodyLimits;
  readonly reader: Reader;
  readonly read: (raw: unknown) => Result<T> | Steps<Result<T>>;
}

/** A separate function, so that the body, which may be large, can be released before the action runs. */
async function readValue<T>(
  request: Request,
  { limits, reader, read }: ValueReading<T>,
): Promise<Result<T> | Refusal> {
  const body = await readJsonBody(request, limits, reader);
  if (!body.ok) return body.refusal;
  const reading = read(body.value);
  return "next" in reading ? await inTimeSlices(reading) : reading;
}

function refuseBody({ status, message, issues, headers }: Refusal): Response {
  if (issues.length === 0) return refusal({ status, detail: message, ...(headers && { headers }) });
  const detail = issues.map(({ path, message: msg, code }) => ({ loc: path, msg, type: code }));
  return refusal({ status, detail, ...(headers && { headers }) }, { code: issues[0]?.code });
}

/** The identity of a request: the caller, the route, the `Idempotency-Key` and the body. */
function onceOf(
  { request, path, principal }: AuthenticatedRequest,
  key: string,
  digest: string,
): IdempotencyKey {
  const route = `${request.method} ${path}`;
  return { key: JSON.stringify([principal.id, route, key.slice(0, 256)]), digest };
}
