// Records whose objects, such as `usage`, have members that are columns of the table.

import { isObject, type JsonObject, type Origin, objectOf, originsIn } from "../../json/json-text.ts";
import { roleOf } from "../columns/column-roles.ts";

/** Columns whose objects stay whole. */
const NOT_FLATTENED: ReadonlySet<string> = new Set(["id", "input", "expected", "output", "score", "error"]);
const TRIAL_ROLES: readonly string[] = ["tokens", "latency", "error", "model"];
const DATASET_COLUMNS = /^(?:metadata|meta|extra|info|doc|document|example|source)$/i;

/**
 * The columns that the members of an object in column `name` become, in their order; undefined if the object stays
 * whole, because trials need none of its members.
 */
export function flattenedColumns(name: string, keys: readonly string[]): readonly string[] | undefined {
  if (NOT_FLATTENED.has(roleOf(name)?.role ?? "")) return undefined;
  const roles = DATASET_COLUMNS.test(name) ? TRIAL_ROLES : [...TRIAL_ROLES, "score"];
  const columns = keys.map((key) => `${name}.${key}`);
  return columns.some((column) => roles.includes(roleOf(column)?.role ?? "")) ? columns : undefined;
}

/** A record with the members of such objects as its own. */
export function flattenedRecord(record: JsonObject): JsonObject {
  const flattened = Object.entries(record).map(([name, value]) =>
    isObject(value) ? flattenedColumns(name, Object.keys(value)) : undefined,
  );
  if (flattened.every((columns) => columns === undefined)) return record;
  return objectOf(
    originsIn(record).flatMap((origin, i) => {
      const object = record[origin[0]] as JsonObject;
      return flattened[i] === undefined
        ? [origin]
        : originsIn(object).map(([, from, key], k): Origin => [flattened[i]![k]!, from, key]);
    }),
  );
}
