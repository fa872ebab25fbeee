// Answers a GraphQL request: reads and limits the document, then executes it with graphql-js.

import type { JsonObject } from "@assay/base";
import { execute, GraphQLError, OperationTypeNode } from "graphql";
import { may } from "../../request/principal.ts";
import { artifactView } from "../resolvers/artifact-view.ts";
import { MUTATIONS } from "../resolvers/mutations.ts";
import { projectView } from "../resolvers/project-view.ts";
import { QUERIES } from "../resolvers/queries.ts";
import type { ResolverContext, Views } from "../resolvers/resolver-context.ts";
import { runView } from "../resolvers/run-view.ts";
import { readDocument } from "./document.ts";
import type { GraphqlRequest } from "./graphql-request.ts";
import { SCHEMA } from "./schema.ts";

const VIEWS: Views = { project: projectView, run: runView, artifact: artifactView };

/**
 * The answer to a GraphQL request. Invalid requests are reported in `errors`; other failures are thrown, and lead to
 * an answer after which clients retry.
 */
export async function answerGraphql(
  request: GraphqlRequest,
  who: Omit<ResolverContext, "views">,
): Promise<JsonObject> {
  try {
    const { document, operation } = readDocument(request);
    const changes = operation.operation === OperationTypeNode.MUTATION;
    if (changes && !may(who.principal, "write"))
      return refusal("this key may not write, and mutations write", "FORBIDDEN");
    const result = await execute({
      schema: SCHEMA,
      document,
      rootValue: changes ? MUTATIONS : QUERIES,
      contextValue: { ...who, views: VIEWS } satisfies ResolverContext,
      variableValues: request.variables,
      operationName: operation.name?.value,
    });
    for (const { originalError } of result.errors ?? [])
      if (originalError !== undefined && !(originalError instanceof GraphQLError)) throw originalError;
    const errors = result.errors?.map(({ message, path, extensions }) => ({
      message,
      ...(path !== undefined && { path }),
      ...(Object.keys(extensions).length > 0 && { extensions }),
    }));
    return { data: result.data ?? null, ...(errors !== undefined && { errors }) } as unknown as JsonObject;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return refusal(error.message, error.extensions["code"]);
  }
}

function refusal(message: string, code?: unknown): JsonObject {
  const extensions = typeof code === "string" ? { extensions: { code } } : {};
  return { data: null, errors: [{ message, ...extensions }] };
}
