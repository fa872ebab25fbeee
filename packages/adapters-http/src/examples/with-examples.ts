// The examples of the OpenAPI document, each beside the operation that it is of.

import { isJsonObject, type Json, type JsonObject } from "@assay/base";
import { EXAMPLE_ANSWERS } from "./answers.ts";
import { EXAMPLE_BODIES } from "./requests.ts";

/** Path items, with an example in the JSON bodies and answers of the operations that have one. */
export function withExamples(paths: { readonly [path: string]: Json }): JsonObject {
  return mapped(paths, (item) => mapped(item, (operation) => exampled(operation)));
}

function exampled(operation: JsonObject): JsonObject {
  const id = String(operation["operationId"]);
  const { requestBody, responses } = operation;
  const [body, answer] = [EXAMPLE_BODIES[id], EXAMPLE_ANSWERS[id]];
  return {
    ...operation,
    ...(isJsonObject(requestBody) && body !== undefined && { requestBody: withExample(requestBody, body) }),
    ...(isJsonObject(responses) &&
      answer !== undefined && {
        responses: mapped(responses, (one, status) => (status === "200" ? withExample(one, answer) : one)),
      }),
  };
}

/** A body or an answer, with an example of its JSON. */
function withExample(of: JsonObject, example: Json): JsonObject {
  const { content } = of;
  if (!isJsonObject(content)) return of;
  return {
    ...of,
    content: mapped(content, (one, type) => (type === "application/json" ? { ...one, example } : one)),
  };
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
