import type { Json } from "./json.ts";

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** An object that came from outside: nothing is known of its fields. */
export type Fields = { readonly [field: string]: unknown };

/** Whether `value` is an object, and neither null nor a list. */
export function isJsonObject(value: Json | undefined): value is JsonObject;
/** Whether `value`, of which nothing is known, is an object, and neither null nor a list. */
export function isJsonObject(value: unknown): value is Fields;
export function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
