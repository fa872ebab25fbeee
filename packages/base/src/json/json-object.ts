import type { Json } from "./json.ts";

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** An unchecked object from outside. */
export type Fields = { readonly [field: string]: unknown };

/** Whether `value` is an object, neither null nor a list. */
export function isJsonObject(value: Json | undefined): value is JsonObject;
/** Whether `value`, of unknown type, is an object, neither null nor a list. */
export function isJsonObject(value: unknown): value is Fields;
export function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Defines an own member of any name, as `JSON.parse` does: an assignment to `__proto__` would not. */
export function setMember<Value>(object: { [name: string]: Value }, name: string, value: Value): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
