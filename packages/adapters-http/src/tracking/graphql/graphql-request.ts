// Reads the body of a GraphQL request; execution is elsewhere.

import { bad, ok, type Result } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";

/** A GraphQL request. */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly operationName: string | undefined;
}

/** Reads the body of a GraphQL request. The issue `invalid` explains deviations from GraphQL over HTTP. */
export function readGraphqlRequest(body: unknown): Result<GraphqlRequest> {
  const wrong = (message: string) => bad([{ code: "invalid", path: [], message }]);
  if (!isJsonObject(body) || typeof body["query"] !== "string") return wrong("a query is required");
  const { query, variables, operationName: name } = body;
  if (variables != null && !isJsonObject(variables)) return wrong("variables must be an object");
  if (name != null && typeof name !== "string") return wrong("operationName must be a text");
  return ok({ query, variables: variables ?? {}, operationName: name ?? undefined });
}
