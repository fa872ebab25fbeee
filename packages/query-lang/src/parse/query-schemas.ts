// The language as JSON Schema for an OpenAPI 3.1 document, generated from the tables that validate it.

import type { JsonSchema } from "./operand-types.ts";
import { CONDITIONS, type Operator, VALUES } from "./operators.ts";
import { queryShape } from "./read.ts";

/**
 * The schemas for `#/components/schemas/`, by name: `Query`, `Operand`, and one for each operator. They refer to each
 * other there. They express neither which fields exist nor the limits of a whole query.
 */
export function querySchemas(): Readonly<Record<string, JsonSchema>> {
  const operators = [...VALUES, ...CONDITIONS];
  return {
    Query: { title: "Query", description: "A condition on one trial.", ...queryShape.schema },
    Operand: {
      title: "Operand",
      description: "A value: a constant, a field, a conversion, or whether a condition holds.",
      anyOf: operators.map(({ title }) => ({ $ref: `#/components/schemas/${title}` })),
    },
    ...Object.fromEntries(operators.map((operator) => [operator.title, operationSchema(operator)])),
  };
}

function operationSchema({ key, title, about, schema }: Operator): JsonSchema {
  return {
    title,
    description: about,
    type: "object",
    properties: { [key]: schema },
    required: [key],
    additionalProperties: false,
  };
}
