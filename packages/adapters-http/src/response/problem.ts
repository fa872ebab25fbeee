// Problems: converts every error to a status and a body. Never reveals a stack or an inner error.

import { Fault, type FaultCode, type Issue, type Json } from "@assay/base";
import type { Refusal } from "../request/body.ts";
import { storageErrorOf } from "./storage-error.ts";
import { truncateIssues } from "./truncate-issues.ts";

/** One issue of a request, as `/openapi.json` describes it. */
interface ValidationError {
  /** Starts with `body`, `path` or `query`. */
  readonly loc: readonly (string | number)[];
  /** What is wrong and what would be valid. */
  readonly msg: string;
  /** The error type, as in pydantic. */
  readonly type: string;
}

/** An error to answer with. */
export interface Problem {
  /** The HTTP status. */
  readonly status: number;
  /** What is wrong: a sentence, or all issues of the request. */
  readonly detail: string | readonly ValidationError[];
  /** Headers of the answer. */
  readonly headers?: { readonly [name: string]: string };
}

/**
 * The HTTP status of each kind of fault: of the service itself, and of an engine behind it. Chat clients retry after
 * 503, and take a 429 for their own rate limit.
 */
export const FAULT_STATUS: Readonly<
  Record<FaultCode, { readonly service: number; readonly engine: number }>
> = {
  unavailable: { service: 503, engine: 503 },
  overloaded: { service: 429, engine: 503 },
  timeout: { service: 504, engine: 503 },
  // The client has disconnected, so no one reads it. The number is nginx's, for logs.
  cancelled: { service: 499, engine: 499 },
  denied: { service: 502, engine: 500 },
  missing: { service: 500, engine: 500 },
  conflict: { service: 409, engine: 409 },
  corrupt: { service: 500, engine: 500 },
  exhausted: { service: 507, engine: 507 },
};

/** The problem for a thrown error. Only a `Fault` reveals its message. */
export function problemOf(error: unknown): Problem {
  const disk = storageErrorOf(error);
  if (disk !== undefined) return { status: disk.status, detail: disk.message };
  if (!(error instanceof Fault)) return { status: 500, detail: "Internal Server Error" };
  return { status: FAULT_STATUS[error.code].service, detail: error.message };
}

/** The problem of a request with these issues, of which the first are listed; their paths lead into the request. */
export function validationProblem(issues: readonly Issue[]): Problem {
  return {
    status: 422,
    detail: truncateIssues(issues).map(({ path, message, code }) => ({
      loc: path,
      msg: message,
      type: code,
    })),
  };
}

/** A refused body in the format of area A. */
export function refusedBody({ status, message, issues, headers }: Refusal): Response {
  const problem = issues.length > 0 ? validationProblem(issues) : { status, detail: message };
  return detailResponse({ ...problem, ...(headers && { headers }) });
}

/** A problem in the format of area A: `{"detail": …}`. */
export function detailResponse({ status, detail, headers }: Problem): Response {
  return problemResponse({ detail }, status, headers);
}

/** The answer for a problem. `Retry-After` tells clients how long to wait. */
function problemResponse(body: object, status: number, headers: Problem["headers"] = {}): Response {
  const response = Response.json(body, { status, headers });
  if ((status === 429 || status === 503) && !response.headers.has("Retry-After"))
    response.headers.set("Retry-After", "1");
  return response;
}

/** Further details for clients of OpenAI's interface. */
export interface ErrorParts {
  /** The error as a sentence. Default: made from the detail. */
  readonly message?: string;
  /** The type of the problem. Default: that of its status. */
  readonly type?: string | undefined;
  /** The code of the refusal, for programs. */
  readonly code?: string | null | undefined;
  /** The invalid parameter. */
  readonly param?: string | null | undefined;
  /** Further members of the body. */
  readonly body?: { readonly [name: string]: Json };
}

/** A problem in the format of areas B and C, and for unknown areas: `detail`, and OpenAI's `error`. */
export function errorResponse(problem: Problem, parts: ErrorParts = {}): Response {
  const { status, detail, headers } = problem;
  const { message = sentenceOf(problem), param = null, code = null, body } = parts;
  const type = parts.type ?? (status >= 500 ? "server_error" : "invalid_request_error");
  return problemResponse({ ...body, detail, error: { message, type, param, code } }, status, headers);
}

/** The error as one sentence. */
export function sentenceOf({ detail }: Problem): string {
  return typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; ");
}
