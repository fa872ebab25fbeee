// The OpenAPI document: the parts of all faces in one.

import { isJsonObject, type Json, PATH_NAME_LENGTH, PATH_NAME_PATTERN } from "@assay/base";
import { withExamples } from "./examples/with-examples.ts";
import type { OpenApiPart } from "./face.ts";
import { oneTypeEach } from "./one-type-each.ts";
import { shaped } from "./property-shapes.ts";
import { PROPERTY_WORDS } from "./property-words.ts";

/** An OpenAPI 3.1 document of these parts. */
export function openApiDocument(parts: readonly OpenApiPart[]): Json {
  return described({
    openapi: "3.1.0",
    info: {
      title: "Assay",
      version: "0.1.0",
      description: "Exact evaluation results, training jobs and inference.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The server that gave this document." }],
    paths: withExamples(Object.assign({}, ...parts.map(({ paths }) => paths), HEALTH)),
    components: {
      schemas: Object.assign({}, ...parts.map(({ schemas }) => schemas)),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        basic: { type: "http", scheme: "basic", description: "User `api`, the key as password." },
      },
    },
    security: [{ bearer: [] }, { basic: [] }, {}],
  });
}

/** The value with a description, and what its texts look like, for every property and parameter whose name says it. */
function described(value: Json, schema?: string): Json {
  if (Array.isArray(value)) return value.map((item) => described(item, schema));
  if (!isJsonObject(value)) return value;
  if (
    typeof value["name"] === "string" &&
    typeof value["in"] === "string" &&
    value["description"] === undefined
  )
    return { ...value, ...wordsOf(value["name"], schema) };
  const entries = Object.entries(value).map(([key, of]): readonly [string, Json] => {
    // Examples are data, whatever their keys are called.
    if (key === "example" || key === "examples") return [key, of!];
    if (!isJsonObject(of)) return [key, described(of!, schema)];
    if (key === "schemas") return [key, mapped(of, (one, name) => described(one, name))];
    if (key !== "properties") return [key, described(of, schema)];
    return [
      key,
      mapped(of, (one, name) => {
        const property = described(one, schema);
        if (!isJsonObject(property)) return property;
        const known = shaped(name, property);
        return known["description"] === undefined ? { ...known, ...wordsOf(name, schema) } : known;
      }),
    ];
  });
  return oneTypeEach(Object.fromEntries(entries));
}

function wordsOf(name: string, schema: string | undefined): { readonly description?: string } {
  const description = PROPERTY_WORDS[`${schema}.${name}`] ?? PROPERTY_WORDS[name];
  return description === undefined ? {} : { description };
}

function mapped(of: { readonly [name: string]: Json }, to: (value: Json, name: string) => Json): Json {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, to(value, name)]));
}

/** The parameters of a path below `/v2/{entity}/{project}`. */
export const PROJECT_PARAMETERS: readonly Json[] = ["entity", "project"].map((name) => ({
  name,
  in: "path",
  required: true,
  schema: {
    type: "string",
    minLength: 1,
    maxLength: PATH_NAME_LENGTH,
    pattern: PATH_NAME_PATTERN,
  },
}));

/** A JSON body of the schema with this name. */
export function jsonContent(schema: string): Json {
  return { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
}

/** The answers with these statuses, whose body is `{"detail": text}`; with 503 also the one for a disk that is full. */
export function detailAnswers(statuses: readonly (keyof typeof REASONS)[]): {
  readonly [status: string]: Json;
} {
  const answers = statuses.flatMap((status) => (status === 503 ? [status, 507 as const] : [status]));
  return Object.fromEntries(
    answers.map((status) => [status, { description: REASONS[status], content: jsonContent("Detail") }]),
  );
}

const REASONS = {
  400: "The body cannot be decoded.",
  401: "A valid API key is needed.",
  403: "The key may not be used for this.",
  404: "There is no such project for this key.",
  413: "The body is too large.",
  415: "The body is not JSON, or compressed in a way that is not understood.",
  429: "Too much at once: come back later.",
  431: "The address and the headers are too long.",
  500: "A mistake of the server.",
  501: "The engine of this server does not answer it.",
  503: "The storage does not answer: come back later.",
  504: "The query took too long.",
  507: "No space is left on the server's disk.",
};

const STATUS = {
  "application/json": {
    schema: { type: "object", properties: { status: { const: "ok" } }, required: ["status"] },
  },
};

const HEALTH: { readonly [path: string]: Json } = {
  "/v1/health": {
    get: {
      operationId: "health",
      summary: "Whether the server is alive: it answers also while its store does not.",
      security: [{}],
      responses: { "200": { description: "It is.", content: STATUS } },
    },
  },
  "/v1/health/ready": {
    get: {
      operationId: "ready",
      summary: "Whether requests can be answered from the store.",
      security: [{}],
      responses: {
        "200": { description: "They can.", content: STATUS },
        ...detailAnswers([503]),
      },
    },
  },
};
