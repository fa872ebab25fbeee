// Adds examples to the operations of the OpenAPI document.

import type { Json, JsonObject } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import type { Example } from "./example.ts";
import { EXAMPLES } from "./examples.ts";

/** Path items, with examples in the parameters, bodies and answers of their operations. */
export function withExamples(paths: { readonly [path: string]: Json }): JsonObject {
  return mapped(paths, (item) =>
    mapped(item, (operation) => exampled(operation, EXAMPLES[String(operation["operationId"])])),
  );
}

function exampled(operation: JsonObject, example: Example | undefined): JsonObject {
  if (example === undefined) return operation;
  const { parameters, requestBody, responses } = operation;
  const { body, answer, type } = example;
  return {
    ...operation,
    ...(Array.isArray(parameters) && {
      parameters: parameters.map((one) => withValue(one, example.parameters ?? {})),
    }),
    ...(isJsonObject(requestBody) && body !== undefined && { requestBody: withBody(requestBody, body) }),
    ...(isJsonObject(responses) &&
      answer !== undefined &&
      type !== undefined && {
        responses: mapped(responses, (one, status) =>
          status === "200" ? withAnswer(one, type, answer) : one,
        ),
      }),
  };
}

function withValue(parameter: Json, values: { readonly [name: string]: Json }): Json {
  if (!isJsonObject(parameter)) return parameter;
  const example = values[String(parameter["name"])];
  return example === undefined ? parameter : { ...parameter, example };
}

/** A body, with an example of its JSON, or of its first media type. */
function withBody(requestBody: JsonObject, example: Json): JsonObject {
  const content = isJsonObject(requestBody["content"]) ? requestBody["content"] : {};
  const type = "application/json" in content ? "application/json" : Object.keys(content)[0];
  return {
    ...requestBody,
    content: mapped(content, (one, name) => (name === type ? { ...one, example } : one)),
  };
}

function withAnswer(answer: JsonObject, type: string, example: Json): JsonObject {
  const content = isJsonObject(answer["content"]) ? answer["content"] : {};
  const media = isJsonObject(content[type]) ? content[type] : {};
  return { ...answer, content: { ...content, [type]: { ...media, example } } };
}

function mapped(
  of: { readonly [name: string]: Json },
  to: (value: JsonObject, name: string) => Json,
): JsonObject {
  const entries = Object.entries(of);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isJsonObject(value) ? to(value, name) : value]),
  );
}
