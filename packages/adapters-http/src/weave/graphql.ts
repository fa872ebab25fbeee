// The few GraphQL questions that the Python client asks its W&B server before it logs: who am I, is there such a
// project, make it. Not a GraphQL server: it answers the root fields that it finds in the text of the question.

import type { JsonObject } from "@assay/trace-core";
import type { Principal } from "../principal.ts";

/** Answers one question. Projects need no making: one exists as soon as something is logged to it. */
export function answerGraphql(body: unknown, principal: Principal): JsonObject {
  const { query, variables } = (typeof body === "object" && body !== null ? body : {}) as {
    query?: unknown;
    variables?: unknown;
  };
  if (typeof query !== "string") return refusal("a query is needed");
  const given = (typeof variables === "object" && variables !== null ? variables : {}) as {
    readonly [key: string]: unknown;
  };
  if (/\bviewer\s*\{/.test(query)) {
    return { data: { viewer: { username: principal.id, defaultEntity: { name: principal.id } } } };
  }
  const entity = given["entityName"] ?? given["entity"];
  const name = given["name"];
  const field = /\bproject\s*\(/.test(query)
    ? "project"
    : /\bupsertModel\s*\(/.test(query)
      ? "upsertModel"
      : undefined;
  if (field === undefined) return refusal("this server answers viewer, project and upsertModel");
  if (typeof entity !== "string" || typeof name !== "string")
    return refusal("an entity and a project are needed");
  if (!principal.allows(entity, name))
    return refusal("you have no access to this project", "PERMISSION_ERROR");
  return {
    data:
      field === "project" ? { project: { name } } : { upsertModel: { model: { name, description: null } } },
  };
}

function refusal(message: string, code?: string): JsonObject {
  return { data: null, errors: [{ message, ...(code === undefined ? {} : { extensions: { code } }) }] };
}
