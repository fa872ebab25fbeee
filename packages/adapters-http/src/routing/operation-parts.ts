// Shared parts for describing operations.

import type { Json } from "@assay/base";
import { PATH_NAME_LENGTH, PATH_NAME_PATTERN } from "@assay/base/internal";
import type { Parameter } from "./operation.ts";

/** The path parameters below `/v2/{entity}/{project}`. */
export const PROJECT_PARAMETERS: readonly Parameter[] = ["entity", "project"].map((name) => ({
  name,
  in: "path" as const,
  required: true,
  schema: {
    type: "string",
    minLength: 1,
    maxLength: PATH_NAME_LENGTH,
    pattern: PATH_NAME_PATTERN,
  },
}));

/** A query parameter. */
export function inQuery(name: string, schema: Json, description: string): Parameter {
  return { name, in: "query", schema, description };
}

/** A schema, or null. */
export function orNull(schema: { readonly [name: string]: Json }): { readonly [name: string]: Json } {
  return { anyOf: [schema, { type: "null" }] };
}

/** The schema with this name. */
export function schemaRef(name: string): { readonly [name: string]: Json } {
  return { $ref: `#/components/schemas/${name}` };
}

/** A JSON body of the schema with this name. */
export function jsonContent(schema: string): { readonly [type: string]: Json } {
  return { "application/json": { schema: schemaRef(schema) } };
}

/** The schema of a refusal with a text: part of every document, since any operation may refuse this way. */
export const DETAIL: { readonly [name: string]: Json } = {
  Detail: {
    type: "object",
    description: "Why a request was not answered.",
    properties: { detail: { type: "string" } },
    required: ["detail"],
    additionalProperties: false,
  },
};

/** The answers with these statuses, whose body is `{"detail": text}`; 503 includes the answer for a full disk. */
export function detailAnswers(statuses: readonly (keyof typeof REASONS)[]): {
  readonly [status: string]: Json;
} {
  const answers = statuses.flatMap((status) => (status === 503 ? [status, 507 as const] : [status]));
  return Object.fromEntries(
    answers.map((status) => [status, { description: REASONS[status], content: jsonContent("Detail") }]),
  );
}

/** The answer to a request with issues, each with its path. */
export const INVALID: { readonly [status: string]: Json } = {
  "422": { description: "What is wrong with the request.", content: jsonContent("HTTPValidationError") },
};

const REASONS = {
  400: "The body cannot be decoded.",
  401: "A valid API key is needed.",
  403: "The key may not be used for this.",
  404: "No such project for this key.",
  413: "The body is too large.",
  415: "The body is not JSON, or has an unsupported compression.",
  429: "The server is busy: try again later.",
  431: "The URL and the headers are too long.",
  500: "An internal error of the server.",
  501: "This server's engine does not support the question.",
  503: "The storage does not respond: try again later.",
  504: "The query took too long.",
  507: "No space is left on the server's disk.",
};
