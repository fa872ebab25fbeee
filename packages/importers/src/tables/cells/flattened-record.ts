// Records whose values are several columns of the table: objects such as `usage`, and conversations that end with the
// answer.

import type { Json } from "@assay/base";
import { at, isObject, type JsonObject, type Origin, objectOf, originsIn } from "../../json/json-text.ts";
import { isConversation, isListOfScores, roleOf } from "../columns/column-roles.ts";

/**
 * Columns whose objects stay whole; those of `id` unless they are rows of a dataset, or have the answer too, and those of
 * answers unless they have all scores.
 */
const NOT_FLATTENED: ReadonlySet<string> = new Set(["id", "input", "expected", "output", "score", "error"]);
const TRIAL_ROLES: readonly string[] = ["tokens", "latency", "error", "model"];
const DATASET_COLUMNS = /^(?:metadata|meta|extra|info|doc|document|example|source)$/i;

/**
 * The columns that the members of an object in column `name` become, in their order; undefined if the object stays
 * whole, because it is not a row of a dataset and trials need none of its members.
 */
export function flattenedColumns(name: string, keys: readonly string[]): readonly string[] | undefined {
  const role = roleOf(name)?.role ?? "";
  const own = new Set(keys.map((key) => roleOf(key)?.role));
  const isRow = (own.has("input") && own.has("expected")) || (role === "id" && own.has("output"));
  // `{"success": true, "reward": 1}` is a result, but not an answer.
  const isOutcome = /(?:^|_)(?:result|outcome)$/i.test(name) && own.has("score") && !own.has("output");
  const isResult = (role === "output" && keys.some(isListOfScores)) || isOutcome;
  if (NOT_FLATTENED.has(role) && !(isRow && role === "id") && !isResult) return undefined;
  const roles = DATASET_COLUMNS.test(name) ? TRIAL_ROLES : [...TRIAL_ROLES, "score"];
  const columns = keys.map((key) => `${name}.${key}`);
  return isRow || columns.some((column) => roles.includes(roleOf(column)?.role ?? "")) ? columns : undefined;
}

/** Whether the value of column `name` is a list of messages, the last of which is the answer. */
export function endsWithAnswer(name: string, value: Json): value is readonly JsonObject[] {
  if (!isConversation(name) || !Array.isArray(value)) return false;
  const last: Json | undefined = value.at(-1);
  return (
    value.length > 1 && isObject(last) && last["role"] === "assistant" && at(last, "content") !== undefined
  );
}

/** A record with such values as separate columns. */
export function flattenedRecord(record: JsonObject): JsonObject {
  const flattened = Object.entries(record).map(([name, value]) => columnsIn(name, value));
  if (flattened.every((columns) => columns === undefined)) return record;
  return objectOf(originsIn(record).flatMap((origin, i) => flattened[i] ?? [origin]));
}

/** The columns that a value becomes; undefined if it stays whole. */
function columnsIn(name: string, value: Json): readonly Origin[] | undefined {
  if (endsWithAnswer(name, value))
    return [
      [name, { [name]: value.slice(0, -1) }, name],
      [`${name}.answer`, value.at(-1)!, "content"],
    ];
  if (!isObject(value)) return undefined;
  const columns = flattenedColumns(name, Object.keys(value));
  return columns && originsIn(value).map(([, from, key], i) => [columns[i]!, from, key]);
}
