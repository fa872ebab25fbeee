// Records with several results of one question: of models, or of trials.

import type { Json } from "@assay/base";
import { isObject, type JsonObject, type Origin, objectOf, originsIn, textAt } from "../../json/json-text.ts";
import { isListOfScores, isSpareAnswer, roleOf } from "../columns/column-roles.ts";
import { isScoreList } from "../columns/named-scores.ts";
import { isRunName } from "../columns/wide-groups.ts";
import { isAggregate, rowOf } from "./parallel-columns.ts";
import { hasRole, isAnswered, isIdentified, isListOfObjects, merged } from "./record-roles.ts";

/**
 * The results in a record that has several for its question: a list of them, an object with one for each model, or lists
 * of answers and scores; undefined if it has none or only one.
 */
export function resultsIn(record: JsonObject): readonly JsonObject[] | undefined {
  const members = Object.entries(record);
  const hasSeveral = members.some(([name, value]) => mayBeSeveral(name, value));
  if (!hasSeveral) return undefined;
  if (!isIdentified(record)) return resultsOfModel(record);
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

/** Whether a value is a list of results of several questions. */
export function hasResults(value: Json): boolean {
  return isListOfObjects(value) && value.every((one) => isAnswered(Object.keys(one)) && isIdentified(one));
}

/** The results of several questions in the record of a model; undefined if it has none, or several lists of them. */
function resultsOfModel(record: JsonObject): readonly JsonObject[] | undefined {
  const [found, ...others] = Object.entries(record).filter(([, value]) => hasResults(value));
  if (found === undefined || others.length > 0) return undefined;
  const [list, results] = found as [string, readonly JsonObject[]];
  const isBeside = ([name]: Origin) => name !== list && !isAggregate(name, record[name]!);
  const beside = objectOf(originsIn(record).filter(isBeside));
  return results.map((result) => namedAfter(record, merged(beside, result)));
}

/** A record with the name of the object it is in as its model, if it has none. */
export function namedAfter(holder: JsonObject, record: JsonObject): JsonObject {
  const name = textAt(holder, "name");
  return name === undefined || hasRole(record, "model") ? record : merged({ model: name }, record);
}

/** Whether the value of a record's member may be several results: objects with answers or scores, or a list of scores. */
export function mayBeSeveral(name: string, value: Json): boolean {
  const isList = roleOf(name)?.role === "score" && Array.isArray(value) && value.length > 0;
  if (isList && (value as readonly Json[]).every((one) => typeof one !== "object")) return true;
  if (isList || isListOfScores(name) || isScoreList(value) || results(value) === undefined) return false;
  // A single object is of a model only if something says so: `results`.
  const keys = isObject(value) ? Object.keys(value) : [];
  return keys.length !== 1 || isRunName(keys[0]!) || roleOf(name) !== undefined;
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
