// An error in the chat-completion format.

import { Fault, type Issue } from "@assay/base";
import type { Refusal } from "@assay/inference-core";
import type { RefusalCode } from "@assay/inference-core/internal";
import { errorResponse, FAULT_STATUS, type Problem } from "../response/problem.ts";
import { storageErrorOf } from "../response/storage-error.ts";
import { truncateIssues } from "../response/truncate-issues.ts";

/** The `error` of a body or of a stream. */
export interface ChatError {
  readonly message: string;
  readonly type: string;
  /** The invalid field. */
  readonly param: string | null;
  readonly code: string | null;
}

/** The HTTP status and types of a refusal. */
interface Kind {
  readonly status: number;
  readonly type: string;
  readonly code: string;
}

const REFUSALS: Readonly<Record<RefusalCode, Kind>> = {
  invalid: { status: 422, type: "invalid_request_error", code: "invalid_request" },
  rejected: { status: 400, type: "invalid_request_error", code: "rejected_by_engine" },
  unknown_model: { status: 404, type: "invalid_request_error", code: "model_not_found" },
  unsupported: { status: 404, type: "invalid_request_error", code: "unsupported_by_model" },
  quota: { status: 402, type: "insufficient_quota", code: "insufficient_quota" },
  limited: { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" },
  overloaded: { status: 503, type: "server_error", code: "engine_overloaded" },
  failed: { status: 500, type: "server_error", code: "engine_failed" },
};

const SORRY = "The server had an error while processing your request";
const LATER = "The engine is currently overloaded, please try again later";
const UNAUTHENTICATED = "Authentication failed";

/** The key is unknown, or has no access to the project; or another reason. */
export function unauthenticated(reason?: string): Response {
  const error = {
    message: reason === undefined ? UNAUTHENTICATED : `${UNAUTHENTICATED}: ${reason}`,
    type: "authentication_error",
    param: null,
    code: "invalid_api_key",
  };
  return respond(401, error, error.message, { "WWW-Authenticate": 'Bearer realm="assay"' });
}

/** The key is known, but does not allow this. */
export function forbidden(message: string): Response {
  return respond(403, { message, type: "permission_error", param: null, code: "forbidden" }, message);
}

/** A refusal by the core or by an engine. */
export function refused(
  { code: refusal, message, issues = [], param, reason, retryAfter }: Refusal,
  more: { readonly [name: string]: string } = {},
): Response {
  const { status, type, code } = REFUSALS[refusal];
  const error = { message, type, param: param ?? null, code: reason ?? code };
  // Some clients read the milliseconds first.
  const wait =
    retryAfter === undefined
      ? {}
      : {
          "Retry-After": String(Math.ceil(retryAfter)),
          "retry-after-ms": String(Math.ceil(1000 * retryAfter)),
        };
  const headers = { ...more, ...wait };
  return refusal === "invalid" ? invalid(issues, "body") : respond(status, error, message, headers);
}

/** The issues of a request, with their paths. */
export function invalid(all: readonly Issue[], where: "body" | "query"): Response {
  const issues = truncateIssues(all);
  const detail = issues.map(({ code, path, message }) => ({
    loc: [where, ...path],
    msg: message,
    type: code === "missing" ? "missing" : "value_error",
  }));
  const places = issues.map(({ path, message }) => `${fieldName(path) ?? where}: ${message}`);
  const { status, type, code } = REFUSALS.invalid;
  const error = { message: places.join("; "), type, param: fieldName(issues[0]?.path ?? []), code };
  return respond(status, error, detail);
}

/** A request that is invalid, or that no route answers. */
export function unread(
  status: number,
  message: string,
  headers?: { readonly [name: string]: string },
): Response {
  const error = { message, type: "invalid_request_error", param: null, code: null };
  return respond(status, error, message, headers);
}

/** A failure before the answer started. */
export function failed(error: unknown): Response {
  const fault = error instanceof Fault ? error.code : undefined;
  if (error instanceof Fault && fault === "conflict") {
    const { message } = error;
    return respond(409, { message, type: "invalid_request_error", param: null, code: "conflict" }, message, {
      "x-should-retry": "false",
    });
  }
  const disk = storageErrorOf(error);
  if (disk !== undefined) {
    const { status, message } = disk;
    return respond(status, { message, type: "server_error", param: null, code: "storage_failed" }, message);
  }
  const status = fault === undefined ? 500 : FAULT_STATUS[fault].engine;
  const message = status === 503 ? LATER : SORRY;
  return respond(status, { message, type: "server_error", param: null, code: faultCode(error) }, message);
}

/** A failure in the middle of an answer: the end of its stream. */
export function failedMidway(error: unknown): { readonly error: ChatError } {
  const disk = storageErrorOf(error);
  const message = disk?.message ?? (error instanceof Fault ? error.message : SORRY);
  const code = disk === undefined ? faultCode(error) : "storage_failed";
  return { error: { message, type: "server_error", param: null, code } };
}

function faultCode(error: unknown): string {
  return error instanceof Fault ? `engine_${error.code}` : "internal_error";
}

function respond(
  status: number,
  error: ChatError,
  detail: Problem["detail"],
  headers: { readonly [name: string]: string } = {},
): Response {
  return errorResponse({ status, detail, headers }, error);
}

/** `messages[0].role`; null for the whole, and for an offset in text that is not JSON. */
function fieldName(path: Issue["path"]): string | null {
  if (typeof path[0] === "number") return null;
  const name = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
  return name === "" ? null : name.replace(/^\./, "");
}
