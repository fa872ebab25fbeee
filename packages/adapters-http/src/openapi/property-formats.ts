// The formats of texts, by property name, so that client generators learn from the OpenAPI document which values are
// refused. The schemas that validate bodies check them with functions, which a document cannot express.

import type { Json, JsonObject } from "@assay/base";
import { isJsonObject, PATH_NAME_LENGTH } from "@assay/base/internal";

const NAME = `(?!\\.{1,2}(?:/|$))[^/\\\\#?%:\\u0000-\\u001f\\u007f-\\u009f]{1,${PATH_NAME_LENGTH}}`;

const SHAPES: { readonly [name: string]: JsonObject } = {
  project_id: { pattern: `^${NAME}/${NAME}$` },
  started_at: { format: "date-time" },
  ended_at: { format: "date-time" },
};

/** The schema of a property, with the known format of its texts in every plain text alternative. */
export function withFormat(name: string, schema: JsonObject): JsonObject {
  const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined;
  if (shape === undefined) return schema;
  const withShape = (one: Json): Json => (isPlainText(one) ? { ...one, ...shape } : one);
  const anyOf = schema["anyOf"];
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map(withShape) };
  return withShape(schema) as JsonObject;
}

/** Whether a schema allows arbitrary texts. */
function isPlainText(schema: Json): schema is JsonObject {
  if (!isJsonObject(schema)) return false;
  const { type, pattern, format } = schema;
  const hasFormat = [pattern, format, schema["enum"], schema["const"]].some((one) => one !== undefined);
  return !hasFormat && (type === "string" || (Array.isArray(type) && type.includes("string")));
}
