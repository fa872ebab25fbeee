// `npm run client`: generates packages/client/src/operations.ts from the OpenAPI document of the built command: the
// request and response types of each operation, with the document's descriptions. `npm run openapi` fails if it is out
// of date. openapi-typescript generates types from the schemas; this script adds a line for each operation.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import { withServer } from "./served.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The generated file with the client's types. */
export const CLIENT_FILE = join(root, "packages/client/src/operations.ts");

const JSON_TYPE = "application/json";
/** Operations of the page and of other programs' clients, which users of this client do not call. */
const LEFT_OUT = /^\/(?:$|assets\/|wandb\/|artifactsV2\/|graphql$|files\/|v1\/chat\/completions\/$)/;

/**
 * The text of the file, from an OpenAPI document.
 * @returns {Promise<string>}
 */
export async function clientFile(document) {
  const schemas = withoutExamples(document.components.schemas, true);
  const lines = [];
  const [bodyTypes, bodies] = [[], []];
  for (const [path, item] of Object.entries(document.paths)) {
    if (LEFT_OUT.test(path)) continue;
    for (const [method, operation] of Object.entries(item)) {
      const name = `${method.toUpperCase()} ${path}`;
      const { fields, bodyType, body } = fieldsOf(operation, schemas);
      if (body !== undefined) bodies.push(body);
      if (bodyType !== undefined && bodyType !== JSON_TYPE) bodyTypes.push(`  "${name}": "${bodyType}",`);
      lines.push(`  /** ${operation.summary} */`, `  "${name}": {`, ...fields, "  };");
    }
  }
  const asked = namesIn(
    bodies.map((name) => schemas[name]),
    schemas,
    new Set(bodies),
  );
  for (const [name, schema] of Object.entries(schemas)) {
    const description = schema.description ?? descriptionOf(name);
    schemas[name] = { ...withOpen(schema, asked.has(name) ? "request" : "answer"), description };
  }
  const types = await openapiTS(
    { openapi: document.openapi, info: document.info, paths: {}, components: { schemas } },
    {
      defaultNonNullable: false,
      emptyObjectsUnknown: true,
      immutable: true,
      alphabetize: true,
    },
  );
  const [, inside] = /schemas: \{\n([\s\S]*?)\n {4}\};\n/.exec(astToString(types)) ?? [];
  return formatted(`// biome-ignore-all lint/suspicious/noExplicitAny: a member that the document does not name may be anything.
// Generated from the OpenAPI document by npm run client: the request and response types of each operation. Do not edit.

import type { Json } from "@assay/base";
import type { Bytes, Streamed } from "./bytes.ts";

/** Request and response types, by their names in the OpenAPI document. */
export interface Schemas {
${inside
  .replaceAll('components["schemas"]', "Schemas")
  .replaceAll(/@description /g, "")
  .replaceAll(/\n\s*\* @(?:constant|enum)\b.*/g, "")
  .replaceAll(/\/\*\* @(?:constant|enum)\b.*\*\/\n/g, "")
  .replaceAll('"x-any"', "any")
  .replaceAll('"x-json"', "Json")}
}

/** The operations, by method and path. */
export interface Operations {
${lines.join("\n")}
}

/** The media types of request bodies that are not JSON, by operation. */
export const BODY_TYPES: { readonly [operation: string]: string } = {
${bodyTypes.join("\n")}
};
`);
}

// Types for values that the document leaves open. A request accepts anything, including values of interface types,
// which only `any` allows; a response contains any JSON. These placeholders occur nowhere in the document, and the
// types replace them.
const OPEN = { request: { const: "x-any" }, answer: { const: "x-json" } };
const CLOSED_BY = ["type", "$ref", "const", "enum", "anyOf", "oneOf", "allOf", "properties"];

/** Makes explicit what a schema leaves open. In a response, it omits members that the schema does not name. */
function withOpen(schema, of, isProperties = false) {
  if (Array.isArray(schema)) return schema.map((one) => withOpen(one, of));
  if (typeof schema !== "object" || schema === null) return schema;
  const made = Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [key, withOpen(inner, of, key === "properties")]),
  );
  if (isProperties) return made;
  const { properties, additionalProperties: given } = schema;
  const isOpen =
    given === true || (schema.type === "object" && properties === undefined && given === undefined);
  if (isOpen && (of === "request" || properties === undefined)) made.additionalProperties = OPEN[of];
  else if (isOpen) delete made.additionalProperties;
  if (of === "answer" && !CLOSED_BY.some((key) => key in schema)) return { ...made, ...OPEN.answer };
  return made;
}

/** The names of all schemas that a value refers to, directly or through other schemas. */
function namesIn(value, schemas, found) {
  for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    namesIn(schemas[name], schemas, found);
  }
  return found;
}

const PARTS = { query: "query parameters", header: "headers", body: "body", answer: "answer" };

/** The description of a schema without its own. */
function descriptionOf(name) {
  const [of, part] = name.split(".");
  return part === undefined ? `\`${name}\` of the OpenAPI document.` : `The ${PARTS[part]} of \`${of}\`.`;
}

/** The members of an operation's type. Adds schemas without a name in the document to `schemas`, under a name. */
function fieldsOf(operation, schemas) {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const fields = [];
  const named = (part, schema = {}) => {
    const [, known] = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? "") ?? [];
    if (known === undefined) schemas[`${operationId}.${part}`] = withoutExamples(schema);
    return known ?? `${operationId}.${part}`;
  };
  const typed = (name) => `Schemas["${name}"]`;
  const inPath = parameters.filter((one) => one.in === "path");
  if (inPath.length > 0) {
    const types = inPath.map(
      ({ name, schema }) => `${name}: ${schema.type === "integer" ? "number" : "string"}`,
    );
    fields.push(`    path: { ${types.join("; ")} };`);
  }
  for (const place of ["query", "header"]) {
    const some = parameters.filter((one) => one.in === place);
    if (some.length === 0) continue;
    const required = some.filter((one) => one.required).map(({ name }) => name);
    const properties = Object.fromEntries(
      some.map(({ name, schema, description }) => [name, { ...schema, description }]),
    );
    const schema = { type: "object", properties, ...(required.length > 0 && { required }) };
    fields.push(`    ${place}${required.length > 0 ? "" : "?"}: ${typed(named(place, schema))};`);
  }
  const [bodyType, body] = preferred(requestBody?.content);
  const bodyName = bodyType === JSON_TYPE ? named("body", body.schema) : undefined;
  if (bodyType !== undefined) {
    const bytes = bodyType.startsWith("multipart/") ? "FormData" : "Bytes";
    const isOptional = requestBody.required === false;
    fields.push(`    body${isOptional ? "?" : ""}: ${bodyName === undefined ? bytes : typed(bodyName)};`);
  }
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  const [answerType, answer] = preferred(success?.content);
  const given = answerType === undefined ? "undefined" : "Streamed";
  fields.push(`    answer: ${answerType === JSON_TYPE ? typed(named("answer", answer.schema)) : given};`);
  return { fields, bodyType, body: bodyName };
}

/** The JSON content if there is any, otherwise the first. */
function preferred(content = {}) {
  return Object.entries(content).find(([type]) => type === JSON_TYPE) ?? Object.entries(content)[0] ?? [];
}

/** A schema without its examples; a property may be named `example`. */
function withoutExamples(schema, isProperties = false) {
  if (Array.isArray(schema)) return schema.map((one) => withoutExamples(one));
  if (typeof schema !== "object" || schema === null) return schema;
  // For generators of other clients, the document describes a property that can only be null in a longer form.
  if (schema.const === null) return { description: schema.description, type: "null" };
  const kept = Object.entries(schema).filter(([key]) => isProperties || !/^examples?$/.test(key));
  return Object.fromEntries(kept.map(([key, of]) => [key, withoutExamples(of, key === "properties")]));
}

function formatted(text) {
  const biome = join(root, "node_modules/.bin/biome");
  const { stdout, status, stderr } = spawnSync(biome, ["format", "--stdin-file-path=operations.ts"], {
    cwd: root,
    input: text,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const document = await withServer(async (address) => (await fetch(`${address}/openapi.json`)).json());
  writeFileSync(CLIENT_FILE, await clientFile(document));
}
