// The OpenAPI document: the parts of all routes in one.

import type { Json } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import { withExamples } from "../examples/with-examples.ts";
import type { Route } from "../routing/operation.ts";
import { DETAIL, detailAnswers } from "../routing/operation-parts.ts";
import type { RouteGroup } from "../routing/route-group.ts";
import { compatibleSchema } from "./openapi-compat.ts";
import { PROPERTY_DESCRIPTIONS } from "./property-descriptions.ts";
import { withFormat } from "./property-formats.ts";

/** An OpenAPI 3.1 document with these parts. */
export function openApiDocument(parts: readonly OpenApiPart[]): Json {
  return described({
    openapi: "3.1.0",
    info: {
      title: "Assay",
      version: "0.1.0",
      description: "Exact evaluation results, training jobs and inference.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The server that serves this document." }],
    paths: withExamples(Object.assign({}, ...parts.map(({ paths }) => paths))),
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

/** Part of an OpenAPI document. */
export interface OpenApiPart {
  /** Path items by path. */
  readonly paths: { readonly [path: string]: Json };
  /** Schemas by name, for `#/components/schemas/`. */
  readonly schemas: { readonly [name: string]: Json };
}

/** A group of routes as part of a document. */
export function openApiPart({ routes, schemas = () => ({}) }: RouteGroup): OpenApiPart {
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const route of routes) {
    if (route.unlisted !== undefined) continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return { paths, schemas: { ...DETAIL, ...schemas() } };
}

/** How clients authenticate, if it differs from the default. */
const SECURITY: { readonly [Key in NonNullable<Route["key"]>]: Json } = {
  none: [{}],
  bearer: [{ bearer: [] }, {}],
};

function operationOf(route: Route): Json {
  const { id, summary, description, tags, key, parameters, body, stream, answers = {} } = route;
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags }),
    ...(key !== undefined && { security: SECURITY[key] }),
    ...(parameters !== undefined && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: {
      // A key may have only so many of these streams open.
      ...(stream === "large" && detailAnswers([429])),
      ...answers,
      // A query string may make the address too long.
      ...(parameters?.some((one) => one.in === "query") && detailAnswers([431])),
    },
  };
}

/** The value with descriptions and text formats for every property and parameter whose name defines them. */
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
    // Examples are data: names of their keys are not property names.
    if (key === "example" || key === "examples") return [key, of!];
    if (!isJsonObject(of)) return [key, described(of!, schema)];
    if (key === "schemas") return [key, mapped(of, (one, name) => described(one, name))];
    if (key !== "properties") return [key, described(of, schema)];
    return [
      key,
      mapped(of, (one, name) => {
        const property = described(one, schema);
        if (!isJsonObject(property)) return property;
        const known = withFormat(name, property);
        return known["description"] === undefined ? { ...known, ...wordsOf(name, schema) } : known;
      }),
    ];
  });
  return compatibleSchema(Object.fromEntries(entries));
}

function wordsOf(name: string, schema: string | undefined): { readonly description?: string } {
  const description = PROPERTY_DESCRIPTIONS[`${schema}.${name}`] ?? PROPERTY_DESCRIPTIONS[name];
  return description === undefined ? {} : { description };
}

function mapped(of: { readonly [name: string]: Json }, to: (value: Json, name: string) => Json): Json {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, to(value, name)]));
}
