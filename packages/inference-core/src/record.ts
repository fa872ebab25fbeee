// Tells objects from other values in data that nobody has checked yet.

/** An object that came from outside: nothing is known of its fields. */
export type Fields = { readonly [field: string]: unknown };

/** Whether `value` is an object and not a list. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
