// Refusal: the reason why there is no answer, from this service or from an engine. The client can act on it.

import type { Issue } from "@assay/base";

/**
 * Why there is no answer: `invalid` (the request is invalid, see `issues`), `rejected` (the engine rejects it),
 * `unknown_model`, `unsupported` (the model does not serve this), `quota` (the paid quota is used up), `limited` (too
 * many requests), `overloaded` (the engine is overloaded), `failed` (the engine reports a failure).
 */
export type RefusalCode =
  | "invalid"
  | "rejected"
  | "unknown_model"
  | "unsupported"
  | "quota"
  | "limited"
  | "overloaded"
  | "failed";

/** A request that was not answered. */
export interface Refusal {
  /** The kind, for callers to branch on. */
  readonly code: RefusalCode;
  /** The message for the client. */
  readonly message: string;
  /** The issues; not empty if the code is `invalid`. */
  readonly issues?: readonly Issue[];
  /** The invalid field, if an engine named it. */
  readonly param?: string;
  /** The engine's own code, such as `context_length_exceeded`. */
  readonly reason?: string;
  /** Seconds to wait before another try. */
  readonly retryAfter?: number;
}

/** The most models that a refusal names. */
const MOST_NAMED = 20;

/**
 * The refusal of a model that does not exist, or that the caller may not know of; it names those of the catalogue,
 * which everyone may know.
 */
export function unknownModel(catalogue: Iterable<string>): Refusal {
  const ids = [...catalogue];
  const there = ids.length === 0 ? "this server has no base models" : `base models here: ${listOf(ids)}`;
  const message = `The requested resource was not found; ${there}`;
  return { code: "unknown_model", message, param: "model" };
}

/** The refusal of a model that does not support `what`, with `others` of the catalogue that do. */
export function unsupported(model: string, what: string, others: readonly string[]): Refusal {
  const there = others.length === 0 ? "no model of this server does" : `models that do: ${listOf(others)}`;
  return { code: "unsupported", message: `${model} does not ${what}; ${there}`, param: "model" };
}

function listOf(ids: readonly string[]): string {
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : "";
  return ids.slice(0, MOST_NAMED).join(", ") + more;
}
