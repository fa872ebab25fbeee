// Problems: the one place where what went wrong becomes a status and a body. Never shows a stack or an inner error.

import { Fault, type FaultCode, type Issue, type Json } from "@assay/base";
import type { Refusal } from "./body.ts";
import { boundedIssues } from "./bounded-issues.ts";
import { diskFault } from "./disk-fault.ts";

/** One thing wrong with a request, as `/openapi.json` publishes it. */
interface ValidationError {
  /** Starts with `body`, `path` or `query`. */
  readonly loc: readonly (string | number)[];
  /** What is wrong and what would be right. */
  readonly msg: string;
  /** The error type, in the words of pydantic. */
  readonly type: string;
}

/** An answer that is not the one that was asked for. */
export interface Problem {
  /** The HTTP status. */
  readonly status: number;
  /** What is wrong: a sentence, or every fault of the request. */
  readonly detail: string | readonly ValidationError[];
  /** Headers of the answer. */
  readonly headers?: { readonly [name: string]: string };
}

/**
 * What each kind of fault is in HTTP: one of the service's own, and one of an engine behind it. Clients of chats send
 * again what was answered with 503, and take a 429 for a limit of their own.
 */
export const FAULT_STATUS: Readonly<
  Record<FaultCode, { readonly service: number; readonly engine: number }>
> = {
  unavailable: { service: 503, engine: 503 },
  overloaded: { service: 429, engine: 503 },
  timeout: { service: 504, engine: 503 },
  // The client is gone: no one reads it. The number is nginx's, for logs.
  cancelled: { service: 499, engine: 499 },
  denied: { service: 502, engine: 500 },
  missing: { service: 500, engine: 500 },
  conflict: { service: 409, engine: 409 },
  corrupt: { service: 500, engine: 500 },
  exhausted: { service: 507, engine: 507 },
};

/** The problem that a thrown error is. What is not a `Fault` says nothing of itself. */
export function problemOf(error: unknown): Problem {
  const disk = diskFault(error);
  if (disk !== undefined) return { status: disk.status, detail: disk.message };
  if (!(error instanceof Fault)) return { status: 500, detail: "Internal Server Error" };
  return { status: FAULT_STATUS[error.code].service, detail: error.message };
}

/** The problem of a request with these issues, of which the first are told; paths say where in the request they are. */
export function validationProblem(issues: readonly Issue[]): Problem {
  return {
    status: 422,
    detail: boundedIssues(issues).map(({ path, message, code }) => ({ loc: path, msg: message, type: code })),
  };
}

/** A body that was not read, as area A answers it. */
export function refusedBody({ status, message, issues, headers }: Refusal): Response {
  const problem = issues.length > 0 ? validationProblem(issues) : { status, detail: message };
  return detailResponse({ ...problem, ...(headers && { headers }) });
}

/** A problem as area A answers it: `{"detail": …}`. */
export function detailResponse({ status, detail, headers }: Problem): Response {
  return problemResponse({ detail }, status, headers);
}

/** The answer that a problem is. Clients that wait before another try read how long in `Retry-After`. */
function problemResponse(body: object, status: number, headers: Problem["headers"] = {}): Response {
  const response = Response.json(body, { status, headers });
  if ((status === 429 || status === 503) && !response.headers.has("Retry-After"))
    response.headers.set("Retry-After", "1");
  return response;
}

/** What else a problem says to clients of OpenAI's interface. */
export interface ErrorParts {
  /** What is wrong, in a sentence. Default: the detail as one. */
  readonly message?: string;
  /** What kind of problem. Default: that of its status. */
  readonly type?: string | undefined;
  /** What kind of refusal, for programs. */
  readonly code?: string | null | undefined;
  /** Which parameter. */
  readonly param?: string | null | undefined;
  /** Further members of the body. */
  readonly body?: { readonly [name: string]: Json };
}

/** A problem as areas B and C answer it, and as it is where the area is not known: `detail`, and OpenAI's `error`. */
export function errorResponse(problem: Problem, parts: ErrorParts = {}): Response {
  const { status, detail, headers } = problem;
  const { message = sentenceOf(problem), param = null, code = null, body } = parts;
  const type = parts.type ?? (status >= 500 ? "server_error" : "invalid_request_error");
  return problemResponse({ ...body, detail, error: { message, type, param, code } }, status, headers);
}

/** What is wrong, as one sentence. */
export function sentenceOf({ detail }: Problem): string {
  return typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; ");
}
