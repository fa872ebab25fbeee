// Adapts schemas to client generators for typed languages. These omit an operation if a schema of its body has an array
// without an item type, values of several types in one `enum`, or a property that can only be null. The adapted schemas
// allow the same values.

import type { Json, JsonObject } from "@assay/base";

/**
 * An equivalent schema in which every item and property has at most one type besides null, and every `enum` one type.
 */
export function compatibleSchema(schema: JsonObject): JsonObject {
  return withItems(withProperties(withoutMixture(schema)));
}

function withProperties(schema: JsonObject): JsonObject {
  const properties = schema["properties"];
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return schema;
  const typed = Object.entries(properties as JsonObject).map(([name, property]) => [
    name,
    nullable(property),
  ]);
  return { ...schema, properties: Object.fromEntries(typed) as JsonObject };
}

function nullable(schema: Json): Json {
  const isNull =
    typeof schema === "object" &&
    schema !== null &&
    !Array.isArray(schema) &&
    (schema as JsonObject)["type"] === "null";
  return isNull ? { ...(schema as JsonObject), type: ["string", "null"], const: null } : schema;
}

function withItems(schema: JsonObject): JsonObject {
  if (schema["type"] !== "array" || "items" in schema || "prefixItems" in schema) return schema;
  return { ...schema, items: {} };
}

function withoutMixture(schema: JsonObject): JsonObject {
  const { enum: values, ...rest } = schema;
  if (!Array.isArray(values)) return schema;
  const types = [...new Set(values.map(typeOf))];
  // Generators read one type and null as an optional value.
  if (types.filter((type) => type !== "null").length < 2 && !types.includes("boolean")) return schema;
  return { ...rest, anyOf: types.map((type) => only(values.filter((value) => typeOf(value) === type))) };
}

function only(values: readonly Json[]): JsonObject {
  const [first] = values;
  if (first === null) return { type: "null" };
  if (typeof first !== "boolean") return { enum: values };
  return { type: "boolean", ...(values.length === 1 && { const: first }) };
}

function typeOf(value: Json): string {
  return value === null ? "null" : typeof value;
}
