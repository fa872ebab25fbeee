// Problems: the one place where what went wrong becomes a status and a body. Never shows a stack or an inner error.

import { Fault, type FaultCode, type Issue } from "@assay/base";
import type { Refusal } from "./body.ts";
import { boundedIssues } from "./bounded-issues.ts";
import { diskFault } from "./disk-fault.ts";

/** One thing wrong with a request, as `/openapi.json` publishes it. */
export interface ValidationError {
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

/** What each kind of fault is in HTTP. */
const STATUS: Readonly<Record<FaultCode, number>> = {
  unavailable: 503,
  overloaded: 429,
  timeout: 504,
  // The client is gone: nobody reads it. The number is nginx's, for logs.
  cancelled: 499,
  denied: 502,
  missing: 500,
  conflict: 409,
  corrupt: 500,
  exhausted: 507,
};

/** The problem that a thrown error is. What is not a `Fault` says nothing of itself. */
export function problemOf(error: unknown): Problem {
  const disk = diskFault(error);
  const retry = error instanceof Fault ? error.retryable && error.code !== "timeout" : disk?.status === 503;
  const headers = retry ? { headers: { "Retry-After": "1" } } : {};
  if (disk !== undefined) return { status: disk.status, detail: disk.message, ...headers };
  if (!(error instanceof Fault)) return { status: 500, detail: "Internal Server Error" };
  return { status: STATUS[error.code], detail: error.message, ...headers };
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
  return Response.json({ detail }, { status, headers: headers ?? {} });
}

/** A problem where the area is not known: `detail`, and `error` for clients of the chat-completion format. */
export function errorResponse({ status, detail, headers }: Problem): Response {
  const message = typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; ");
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return Response.json(
    { detail, error: { message, type, param: null, code: null } },
    { status, headers: headers ?? {} },
  );
}
