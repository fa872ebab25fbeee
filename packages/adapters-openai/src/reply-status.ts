// Interprets the status of an engine's error: a refusal that the client can act on, or a fault. Never turns a status
// into a better one.

import { Fault } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { Refusal } from "@assay/inference-core";

/** The most characters of an engine's message that are passed on. */
const MAX_MESSAGE = 2000;
const MAX_WAIT = 3600;

/** An engine's error response: its body, if that is JSON, and how long to wait. */
export interface EngineError {
  readonly status: number;
  readonly body: unknown;
  /** The header `Retry-After`. */
  readonly retryAfter: string | undefined;
  /** Milliseconds since 1970, for a `Retry-After` that is a date. */
  readonly now: number;
}

/** The refusal for an engine's error response. Throws a `Fault` instead if the client cannot do anything about it. */
export function refusalOf({ status, body, retryAfter, now }: EngineError): Refusal {
  const { message, param, reason } = wordsOf(body);
  const wait = secondsOf(retryAfter, now);
  const retry = wait === undefined ? {} : { retryAfter: wait };
  switch (status) {
    case 401:
    case 403:
      // The engine refuses our key, not the client's.
      throw new Fault("denied", "the engine refused its key");
    case 402:
      return {
        code: "quota",
        message: "You exceeded your current quota, please check your plan and billing details",
      };
    case 404:
      return { code: "unknown_model", message: "The requested resource was not found", param: "model" };
    case 408:
      throw new Fault("timeout", "the engine timed out");
    case 429:
      return { code: "limited", message: "Concurrency limit reached for requests", ...retry };
    case 503:
    case 529:
      return {
        code: "overloaded",
        message: "The engine is currently overloaded, please try again later",
        ...retry,
      };
    case 502:
    case 504:
      throw new Fault("unavailable", "the engine is not available");
    default:
      break;
  }
  if (status >= 400 && status < 500) {
    // For example a prompt that exceeds the model's context, which only the engine's message explains.
    return {
      code: "rejected",
      message,
      ...(param !== undefined && { param }),
      ...(reason !== undefined && { reason }),
    };
  }
  if (status >= 500)
    return { code: "failed", message: "The server had an error while processing your request" };
  throw new Fault("corrupt", `the engine answered with status ${status}`);
}

/** The status of an error that was sent with a 200, or in the middle of a stream. */
export function statusOfError(error: unknown): number {
  const { code, status, type } = isJsonObject(error) ? error : {};
  const stated = [code, status]
    .filter((one) => typeof one === "number" || typeof one === "string")
    .map(Number)
    .find((one) => Number.isInteger(one) && one >= 400 && one <= 599);
  return stated ?? TYPES.get(type) ?? TYPES.get(code) ?? 500;
}

/** Engines' names for their errors. */
const TYPES: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ["invalid_request_error", 400],
  ["BadRequestError", 400],
  ["context_length_exceeded", 400],
  ["exceed_context_size_error", 400],
  ["not_found_error", 404],
  ["NotFoundError", 404],
  ["model_not_found", 404],
  ["insufficient_quota", 402],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["overloaded_error", 503],
  ["unavailable_error", 503],
]);

/** The details of an engine's error. */
interface EngineWords {
  readonly message: string;
  readonly param: string | undefined;
  /** Its code, for programs. */
  readonly reason: string | undefined;
}

/** A code as in OpenAI's API; llama.cpp has its own name for the best known one. */
const REASON = /^[a-z][a-z0-9_]{2,63}$/;
const CONTEXT_LENGTH = "context_length_exceeded";

function wordsOf(body: unknown): EngineWords {
  const whole = isJsonObject(body) ? body : {};
  const error = isJsonObject(whole["error"]) ? whole["error"] : whole;
  const text = [error["message"], whole["error"], whole["detail"], whole["message"]].find(
    (one) => typeof one === "string" && one !== "",
  ) as string | undefined;
  const { param, code, type } = error;
  const reason = type === "exceed_context_size_error" ? CONTEXT_LENGTH : code;
  return {
    message: text?.slice(0, MAX_MESSAGE) ?? "the engine refused the request",
    param: typeof param === "string" ? param.slice(0, 200) : undefined,
    reason: typeof reason === "string" && REASON.test(reason) ? reason : undefined,
  };
}

/** `Retry-After` is a number of seconds or a date. */
function secondsOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const date = text.endsWith("GMT") ? (Date.parse(text) - now) / 1000 : Number.NaN;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : date;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_WAIT) : undefined;
}
