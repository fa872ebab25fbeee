// The forms of tables as a JSON document: pandas' orients, lists by column, records below a key, records by id.

import type { Json } from "@assay/base";
import { Unreadable } from "../../files/errors.ts";
import { isObject, type JsonObject, listAt, type Origin, objectOf, originsIn } from "../../json/json-text.ts";
import { roleOf } from "../columns/column-roles.ts";
import { isRunName } from "../columns/wide-groups.ts";
import { recordsOfRows } from "./listed-rows.ts";
import { isAggregate, recordsOfColumns } from "./parallel-columns.ts";
import { hasRole, isAnswered, isIdentified, isListOfObjects, isRecord, merged } from "./record-roles.ts";
import { hasResults, namedAfter, resultsIn } from "./several-results.ts";

/** How many levels of objects may contain the records. */
const DEEPEST = 3;

/** The forms, described for users, each with an example. */
export const SHAPES: readonly (readonly [string, string])[] = [
  ["a list of records, pandas' `records`", '`[{"id": 1, …}, …]`'],
  ["JSON lines", '`{"id": 1, …}` on each line'],
  ["pandas' `split`", '`{"columns": ["id", …], "data": [[1, …], …]}`'],
  ["a list for each row, below one of names", '`[["id", …], [1, …], …]`'],
  ["pandas' `table`", '`{"schema": {"fields": …}, "data": [{"id": 1, …}, …]}`'],
  ["pandas' `columns`", '`{"id": {"0": 1, …}, "answer": {"0": "a", …}}`'],
  ["a list for each column", '`{"id": [1, …], "answer": ["a", …]}`'],
  ["the same for each model", '`{"question": [1, …], "scores": {"small": [1, …], "large": [0, …]}}`'],
  ["pandas' `index`, and records by id", '`{"q1": {"answer": "a", …}, …}`'],
  ["records below a key, next to values that apply to all of them", '`{"model": "m", "results": [{…}, …]}`'],
  ["records of each model, with its name", '`{"models": [{"name": "small", "results": [{…}, …]}, …]}`'],
  ["records by model", '`{"small": [{…}, …], "large": [{…}, …]}`'],
];

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
  const totals = hasList(document) ? [] : totalsIn(document, 0);
  return totals.length > 0
    ? `JSON with only totals (${[...new Set(totals)].slice(0, NAMED).join(", ")}): pass the file that has a result for each question`
    : "JSON, but not a table of records with questions and answers: write a list of them, each with its question, model, answer and score";
}

function hasList(value: Json): boolean {
  return Array.isArray(value) || (isObject(value) && Object.values(value).some(hasList));
}

/** The names of the scores in an object; of all its numbers if it has nothing else. */
function totalsIn(value: Json, depth: number): readonly string[] {
  if (!isObject(value) || depth > DEEPEST) return [];
  const members = Object.entries(value);
  const areAll = depth === 0 && members.every(([, member]) => typeof member === "number");
  return members.flatMap(([name, member]) => {
    const isTotal =
      typeof member === "number" && (areAll || /@\d/.test(name) || roleOf(name)?.role === "score");
    return isTotal ? [name] : totalsIn(member, depth + 1);
  });
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

function recordsIn(value: Json, depth: number): readonly JsonObject[] | undefined {
  if (Array.isArray(value)) {
    if (!isListOfObjects(value)) return recordsOfRows(value);
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
  return (
    byTable(value) ??
    recordsOfRows(value) ??
    recordsOfColumns(value) ??
    sole() ??
    byId(members) ??
    recordsBelow(value, depth) ??
    byId(members.map(([key, record]) => [key, isObject(record) ? flat(record) : record]))
  );
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

/**
 * An object for each record, by name: the name becomes its id, or its model if it is one, unless it has one or the name
 * is a place.
 */
function byId(members: readonly (readonly [string, Json])[]): readonly JsonObject[] | undefined {
  if (members.length === 0 || !members.every(([, record]) => isObject(record))) return undefined;
  const records = members as readonly (readonly [string, JsonObject])[];
  const keys = records.map(([key]) => key);
  // By place or by id: the name of a role is neither.
  if (keys.some((key) => roleOf(key) !== undefined)) return undefined;
  const isResult = (record: JsonObject) =>
    isAnswered(Object.keys(record)) ||
    (areModels(Object.keys(record)) && !Object.values(record).some((value) => isObject(value)));
  if (!records.every(([, record]) => isResult(record))) return undefined;
  // Scores beside a list of results are their means.
  if (records.some(([, record]) => hasAggregates(record) && Object.values(record).some(hasResults)))
    return undefined;
  const isPlaces = keys.every((key, i) => key === String(i));
  const name = areModels(keys) ? "model" : "id";
  const hasOne = records.some(([, record]) => hasRole(record, name));
  return records.map(([key, record]) => (isPlaces || hasOne ? record : merged({ [name]: key }, record)));
}

/** The values in an object and in the objects inside it, by their names, or paths if several have one name. */
function flat(object: JsonObject): JsonObject {
  const leavesIn = (one: JsonObject, path: string): readonly (readonly [string, Origin])[] =>
    originsIn(one).flatMap((origin) => {
      const [name, , key] = origin;
      const inside = one[key]!;
      return isObject(inside) ? leavesIn(inside, `${path}${name}.`) : [[path + name, origin] as const];
    });
  const leaves = leavesIn(object, "");
  const names = leaves.map(([, [name]]) => name);
  const isOwn = (name: string) => names.indexOf(name) === names.lastIndexOf(name);
  return objectOf(leaves.map(([path, [name, from, key]]) => [isOwn(name) ? name : path, from, key]));
}

/** Whether names are those of several models. */
function areModels(names: readonly string[]): boolean {
  return names.length > 1 && names.every(isRunName);
}

/** Records below one of the members; a list for each model if every list could be one. */
function recordsBelow(document: JsonObject, depth: number): readonly JsonObject[] | undefined {
  const members = Object.entries(document);
  const all = members.flatMap(([name, value]) => {
    const records = value === null || typeof value !== "object" ? undefined : recordsIn(value, depth + 1);
    return records?.some((record) => isAnswered(Object.keys(record))) === true
      ? [[name, records] as const]
      : [];
  });
  // Models by row, instead of rows by model.
  const isTurned =
    all.length > 1 &&
    all.every(
      ([name, records]) =>
        !isRunName(name) && records.every((one) => hasRole(one, "model") && !isIdentified(one)),
    );
  const found = isTurned ? all : all.filter(([, records]) => records.some(isIdentified));
  if (found.length === 0) return undefined;
  // Records that have the name they are below have it as their id.
  const isRow = found.every(([name, records]) => records.every((one) => Object.values(one).includes(name)));
  // A model has a list of records, or several of them: an object with only one is not a model.
  const isModel =
    found.length > 1 &&
    !isRow &&
    found.every(([, records]) => !hasRole(records[0]!, "model")) &&
    found.some(([name, records]) => records.length > 1 || Array.isArray(document[name]));
  if (found.length > 1 && !isModel && !isRow && !isTurned) return undefined;
  // A value given once, outside of the records, applies to each of them, unless it is the mean of their scores.
  const single = members.flatMap(([name, value]) =>
    (value === null || typeof value !== "object") && !isAggregate(name, value) ? [name] : [],
  );
  const beside = objectOf(single.map((name) => [name, document, name]));
  const name = isTurned ? "id" : "model";
  return found.flatMap(([key, records]) => {
    const own = isModel || isTurned ? merged(beside, { [name]: key }) : beside;
    return records.map((record) => merged(own, record));
  });
}

/** The records below each object of a list, which is a model's; undefined if they have answers themselves. */
function recordsOfEach(list: readonly JsonObject[], depth: number): readonly JsonObject[] | undefined {
  const isOwn = ([, value]: readonly [string, Json]) => !hasResults(value);
  const ownNames = (one: JsonObject) =>
    Object.entries(one)
      .filter(isOwn)
      .map(([name]) => name);
  if (depth > DEEPEST || list.some((one) => isAnswered(ownNames(one)))) return undefined;
  const records = list.map((one) => recordsBelow(one, depth));
  if (!records.every((some) => some !== undefined)) return undefined;
  return records.flatMap((some, i) => some.map((record) => namedAfter(list[i]!, record)));
}
