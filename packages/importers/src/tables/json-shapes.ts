// The forms of tables as a JSON document: pandas' orients, lists by column, records below a key, records by id.

import type { Json } from "@assay/base";
import { Unreadable } from "../files/errors.ts";
import {
  isObject,
  type JsonObject,
  listAt,
  type Origin,
  objectOf,
  originsIn,
  textAt,
} from "../json/json-text.ts";
import { isListOfScores, isSpareAnswer, isValueName, roleOf } from "./columns/column-roles.ts";
import { isScoreList } from "./columns/named-scores.ts";
import { isRunName } from "./columns/wide-groups.ts";

/** How many levels of objects may contain the records. */
const DEEPEST = 3;

/** The forms, described for users, each with an example. */
export const SHAPES: readonly (readonly [string, string])[] = [
  ["a list of records, pandas' `records`", '`[{"id": 1, …}, …]`'],
  ["JSON lines", '`{"id": 1, …}` on each line'],
  ["pandas' `split`", '`{"columns": ["id", …], "data": [[1, …], …]}`'],
  ["pandas' `table`", '`{"schema": {"fields": …}, "data": [{"id": 1, …}, …]}`'],
  ["pandas' `columns`", '`{"id": {"0": 1, …}, "answer": {"0": "a", …}}`'],
  ["a list for each column", '`{"id": [1, …], "answer": ["a", …]}`'],
  ["pandas' `index`, and records by id", '`{"q1": {"answer": "a", …}, …}`'],
  ["records below a key, next to values that apply to all of them", '`{"model": "m", "results": [{…}, …]}`'],
  ["records of each model, with its name", '`{"models": [{"name": "small", "results": [{…}, …]}, …]}`'],
  ["records by model", '`{"small": [{…}, …], "large": [{…}, …]}`'],
];

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

/** The names of a document's records, for each form that it may have. */
export function recordNames(keys: ReadonlySet<string>): readonly (readonly string[])[] {
  const below = new Map<string, Set<string>>();
  for (const key of keys) {
    const dot = key.lastIndexOf(".");
    const parent = dot === -1 ? "" : key.slice(0, dot);
    below.set(parent, (below.get(parent) ?? new Set()).add(key.slice(dot + 1)));
  }
  return [...below]
    .filter(([parent]) => parent.split(".").length <= DEEPEST * 2)
    .map(([, names]) => [...names]);
}

/** The records of a document. Throws if it has none of the forms. */
export function recordsOfDocument(document: Json): readonly JsonObject[] {
  const found = recordsIn(document, 0) ?? soleList(document, 0);
  if (found === undefined) throw new Unreadable(whyNoRecords(document), "unknown");
  return found;
}

/** How many aggregates are named. */
const NAMED = 8;

function whyNoRecords(document: Json): string {
  const members = isObject(document) ? Object.entries(document) : [];
  const totals = members.flatMap(([name, value]) => (typeof value === "number" ? [name] : []));
  return totals.length > 0 && totals.length === members.length
    ? `JSON with only totals (${totals.slice(0, NAMED).join(", ")}): pass the file that has a result for each question`
    : "JSON, but not a table of records with questions and answers: write a list of them, each with its question, model, answer and score";
}

/** The only list of objects: the names of its columns may be those of models. */
function soleList(value: Json, depth: number): readonly JsonObject[] | undefined {
  if (isListOfObjects(value)) return value;
  if (!isObject(value) || depth > DEEPEST) return undefined;
  const lists = Object.values(value).flatMap((inside) => {
    const list = soleList(inside, depth + 1);
    return list === undefined ? [] : [list];
  });
  return lists.length === 1 ? lists[0] : undefined;
}

/**
 * The results in a record that has several for its question: a list of them, an object with one for each model, or lists
 * of answers and scores; undefined if it has none or only one.
 */
export function resultsIn(record: JsonObject): readonly JsonObject[] | undefined {
  const members = Object.entries(record);
  const hasSeveral = members.some(([name, value]) => mayBeSeveral(name, value));
  if (!hasSeveral || !isIdentified(record)) return undefined;
  const single = members.filter(([, value]) => value === null || typeof value !== "object");
  // `answer` may be the expected answer of all models.
  if (isAnswered(single.map(([name]) => name).filter((name) => !isSpareName(name)))) return undefined;
  const beside = (...names: readonly string[]) =>
    objectOf(originsIn(record).filter(([name]) => !names.includes(name)));
  const nested = members.filter(([name, value]) => mayBeSeveral(name, value) && results(value) !== undefined);
  if (nested.length === 1) {
    const [[name, value]] = nested as [[string, Json]];
    return results(value)!.map((result) => merged(result, beside(name)));
  }
  const lists = members.filter(([name, value]) => isAnswered([name]) && Array.isArray(value));
  const [count, ...others] = new Set(lists.map(([, list]) => (list as readonly Json[]).length));
  // Several scores may be of one answer.
  const areOfAnswers = lists.some(([name]) => !isListOfScores(name));
  if (count === undefined || others.length > 0 || !areOfAnswers) return undefined;
  const rest = beside(...lists.map(([name]) => name));
  return Array.from({ length: count }, (_, i) => merged(rest, rowOf(lists, String(i))));
}

/** Whether the value of a record's member may be several results: objects with answers or scores, or a list of scores. */
export function mayBeSeveral(name: string, value: Json): boolean {
  const isList = roleOf(name)?.role === "score" && Array.isArray(value) && value.length > 0;
  if (isList && (value as readonly Json[]).every((one) => typeof one !== "object")) return true;
  return !isList && !isListOfScores(name) && !isScoreList(value) && results(value) !== undefined;
}

function isSpareName(name: string): boolean {
  const role = roleOf(name);
  return role !== undefined && isSpareAnswer(role);
}

/** The results in a value: objects with answers or scores, each with its model if the value is an object. */
function results(value: Json): readonly JsonObject[] | undefined {
  const entries = value === null || typeof value !== "object" ? [] : Object.entries(value);
  const isResult = (entry: readonly [string, Json]): entry is [string, JsonObject] =>
    isObject(entry[1]) && isAnswered(Object.keys(entry[1]));
  if (entries.length === 0 || !entries.every(isResult)) return undefined;
  if (Array.isArray(value)) return entries.map(([, result]) => result);
  if (entries.some(([name]) => roleOf(name) !== undefined)) return undefined;
  return entries.map(([model, result]) => (hasRole(result, "model") ? result : merged({ model }, result)));
}

function recordsIn(value: Json, depth: number): readonly JsonObject[] | undefined {
  if (Array.isArray(value)) {
    if (!isListOfObjects(value)) return undefined;
    const several = value.map(resultsIn);
    return several.every((results) => results === undefined)
      ? (recordsOfEach(value, depth) ?? value)
      : value.flatMap((one, i) => several[i] ?? [one]);
  }
  if (!isObject(value) || depth > DEEPEST) return undefined;
  const members = Object.entries(value);
  const sole = (): readonly JsonObject[] | undefined => {
    const names = members.map(([name]) => name);
    if (depth > 0 || names.length === 0 || !isRecord(names)) return undefined;
    return (hasAggregates(value) ? recordsBelow(value, depth) : undefined) ?? [value];
  };
  return byTable(value) ?? byColumns(members) ?? sole() ?? byId(members) ?? recordsBelow(value, depth);
}

/** Whether a document with an id has no question, no answer and no scores but numbers: those may be of what is below. */
function hasAggregates(document: JsonObject): boolean {
  return Object.entries(document).every(([name, value]) => {
    const role = roleOf(name)?.role ?? "";
    if (role === "score") return typeof value === "number";
    return !["input", "expected", "output"].includes(role) || (value !== null && typeof value === "object");
  });
}

/** The orient `table` of pandas, without the index that pandas adds. */
function byTable({ schema, data }: JsonObject): readonly JsonObject[] | undefined {
  if (!isObject(schema) || !Array.isArray(schema["fields"]) || !isListOfObjects(data)) return undefined;
  const isMadeUp = listAt(schema, "primaryKey").includes("index");
  const isOwn = ([name]: Origin) => name !== "index";
  return isMadeUp ? data.map((record) => objectOf(originsIn(record).filter(isOwn))) : data;
}

/** A list, or an object by place, for each column, all of the same length. */
function byColumns(members: readonly (readonly [string, Json])[]): readonly JsonObject[] | undefined {
  if (!isRecord(members.map(([name]) => name))) return undefined;
  if (members.every(([, column]) => Array.isArray(column))) {
    const lengths = new Set(members.map(([, column]) => (column as readonly Json[]).length));
    if (lengths.size !== 1) return undefined;
    return Array.from({ length: [...lengths][0]! }, (_, i) => rowOf(members, String(i)));
  }
  if (!members.every(([, column]) => isObject(column))) return undefined;
  const places = Object.keys(members[0]![1] as JsonObject);
  const shape = [...places].sort().join("\n");
  const isAlike = members.every(
    ([, column]) =>
      Object.keys(column as JsonObject)
        .sort()
        .join("\n") === shape,
  );
  if (!isAlike || isRecord(places)) return undefined;
  return places.map((place) => rowOf(members, place));
}

/** A record of the value at a place in each column. */
function rowOf(columns: readonly (readonly [string, Json])[], place: string): JsonObject {
  return objectOf(columns.map(([name, column]) => [name, column as JsonObject | readonly Json[], place]));
}

/** An object for each record, by name: the name becomes its id, unless it has one or the name is a place. */
function byId(members: readonly (readonly [string, Json])[]): readonly JsonObject[] | undefined {
  if (members.length === 0 || !members.every(([, record]) => isObject(record))) return undefined;
  const records = members as readonly (readonly [string, JsonObject])[];
  const names = [...new Set(records.flatMap(([, record]) => Object.keys(record)))];
  // By place or by id: the name of a role is neither.
  if (records.some(([key]) => roleOf(key) !== undefined)) return undefined;
  if (!records.every(([, record]) => isAnswered(Object.keys(record)))) return undefined;
  const isPlaces = records.every(([key], i) => key === String(i));
  const hasId = names.some((name) => roleOf(name)?.role === "id");
  return records.map(([key, record]) => (isPlaces || hasId ? record : merged({ id: key }, record)));
}

/** Records below one of the members; a list for each model if every list could be one. */
function recordsBelow(document: JsonObject, depth: number): readonly JsonObject[] | undefined {
  const members = Object.entries(document);
  const found = members.flatMap(([name, value]) => {
    const records = value === null || typeof value !== "object" ? undefined : recordsIn(value, depth + 1);
    const isFound =
      records?.some((record) => isAnswered(Object.keys(record)) && isIdentified(record)) === true;
    return isFound ? [[name, records!] as const] : [];
  });
  const [only] = found;
  if (only === undefined) return undefined;
  // Records that have the name they are below have it as their id.
  const isRow = found.every(([name, records]) => records.every((one) => Object.values(one).includes(name)));
  // A model has a list of records, or several of them: an object with only one is not a model.
  const isModel =
    found.length > 1 &&
    !isRow &&
    found.every(([, records]) => !hasRole(records[0]!, "model")) &&
    found.some(([name, records]) => records.length > 1 || Array.isArray(document[name]));
  if (found.length > 1 && !isModel && !isRow) return undefined;
  // A value given once, outside of the records, applies to each of them, unless it is the mean of their scores.
  const isAggregate = (name: string, value: Json) =>
    typeof value === "number" && roleOf(name)?.role === "score";
  const single = members.flatMap(([name, value]) =>
    (value === null || typeof value !== "object") && !isAggregate(name, value) ? [name] : [],
  );
  const beside = objectOf(single.map((name) => [name, document, name]));
  const areModels = ({ id }: JsonObject) => typeof id === "string" && isRunName(id);
  // Models by row, instead of rows by model.
  const isTurned = isModel && found.every(([name, records]) => !isRunName(name) && records.every(areModels));
  return found.flatMap(([name, records]) =>
    records.map((record) =>
      isTurned
        ? merged(merged(beside, record), { id: name, model: record["id"]! })
        : merged(isModel ? merged(beside, { model: name }) : beside, record),
    ),
  );
}

/** The records below each object of a list, which is a model's; undefined if they have answers themselves. */
function recordsOfEach(list: readonly JsonObject[], depth: number): readonly JsonObject[] | undefined {
  if (depth > DEEPEST || list.some((one) => isAnswered(Object.keys(one)))) return undefined;
  const records = list.map((one) => recordsBelow(one, depth));
  if (!records.every((some) => some !== undefined)) return undefined;
  return records.flatMap((some, i) => {
    const name = textAt(list[i], "name");
    const isNamed = name === undefined || hasRole(some[0]!, "model");
    return isNamed ? some : some.map((record) => merged({ model: name }, record));
  });
}

/** The members of both. */
function merged(first: JsonObject, second: JsonObject): JsonObject {
  return objectOf([...originsIn(first), ...originsIn(second)]);
}

/** Whether a record has an answer or a score. */
function isAnswered(names: readonly string[]): boolean {
  const roles = rolesIn(names);
  return roles.has("score") || roles.has("output");
}

/**
 * Whether a record has something to identify it: an id or a question. Without either, the list holds something else.
 */
function isIdentified(record: JsonObject): boolean {
  const inside = Object.values(record).flatMap((value) => (isObject(value) ? Object.keys(value) : []));
  const roles = rolesIn([...Object.keys(record), ...inside]);
  return roles.has("id") || roles.has("input");
}

function hasRole(record: JsonObject, role: string): boolean {
  return Object.keys(record).some((name) => roleOf(name)?.role === role);
}

function isListOfObjects(value: Json | undefined): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && (value as readonly Json[]).every(isObject);
}
