// Building blocks for JSON Schemas of responses.

import type { Json } from "@assay/base";

/** A JSON Schema. */
export type Schema = { readonly [keyword: string]: Json };

/** A text. */
export const text: Schema = { type: "string" };
/** A count: 0 or more. */
export const count: Schema = { type: "integer", minimum: 0 };
/** Any JSON. */
export const anyJson: Schema = {};
/** A text, or null. */
export const textOrNull: Schema = { type: ["string", "null"] };
/** A number, or null. */
export const numberOrNull: Schema = { type: ["number", "null"] };
/** An integer, or null. */
export const integerOrNull: Schema = { type: ["integer", "null"] };
/** A list of these. */
export const listOf = (items: Schema): Schema => ({ type: "array", items });
/** This schema, or null. */
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });
/** The schema with this name in the document. */
export const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An object that always has all of these properties, and may have `others`. */
export function object(
  description: string,
  properties: { readonly [name: string]: Schema },
  others: { readonly [name: string]: Schema } = {},
): Schema {
  return {
    type: "object",
    description,
    properties: { ...properties, ...others },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
