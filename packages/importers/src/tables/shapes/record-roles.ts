// What the names of a record's members show: whether it has answers, scores, and something that identifies it.

import type { Json } from "@assay/base";
import { isObject, type JsonObject, objectOf, originsIn } from "../../json/json-text.ts";
import { isValueName, roleOf } from "../columns/column-roles.ts";

/** Whether column names show that a table has results: a score, or a model's answer. */
export function hasResults(names: readonly string[]): boolean {
  const roles = rolesIn(names);
  return isScored(names, roles) || (roles.has("output") && roles.has("model"));
}

/** Whether names are those of a record: a question with an answer or a score. */
export function isRecord(names: readonly string[]): boolean {
  const roles = rolesIn(names);
  const identifies = roles.has("id") || roles.has("input") || roles.has("expected");
  return identifies && (isScored(names, roles) || roles.has("output"));
}

function isScored(names: readonly string[], roles: ReadonlySet<string | undefined>): boolean {
  return roles.has("score") || (roles.has("metric") && names.some(isValueName));
}

function rolesIn(names: readonly string[]): ReadonlySet<string | undefined> {
  return new Set(names.map((name) => roleOf(name)?.role));
}

/** The members of both. */
export function merged(first: JsonObject, second: JsonObject): JsonObject {
  return objectOf([...originsIn(first), ...originsIn(second)]);
}

/** Whether a record has an answer or a score. */
export function isAnswered(names: readonly string[]): boolean {
  const roles = rolesIn(names);
  return roles.has("score") || roles.has("output");
}

/**
 * Whether a record has something to identify it: an id or a question. Without either, the list holds something else.
 */
export function isIdentified(record: JsonObject): boolean {
  const inside = Object.values(record).flatMap((value) => (isObject(value) ? Object.keys(value) : []));
  return isNamed([...Object.keys(record), ...inside]);
}

/** Whether one of these names is that of an id or a question. */
export function isNamed(names: readonly string[]): boolean {
  const roles = rolesIn(names);
  return roles.has("id") || roles.has("input");
}

/** Whether a record has a member with this role. */
export function hasRole(record: JsonObject, role: string): boolean {
  return Object.keys(record).some((name) => roleOf(name)?.role === role);
}

/** Whether a value is a list of objects, with at least one. */
export function isListOfObjects(value: Json | undefined): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && (value as readonly Json[]).every(isObject);
}
