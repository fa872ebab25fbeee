// Documents with a list, or an object by place, for each column: pandas' orient `columns`, and lists side by side, also
// of several models: `{"questions": […], "answers": {"small": […], "large": […]}}`.

import type { Json } from "@assay/base";
import { isObject, type JsonObject, type Origin, objectOf } from "../../json/json-text.ts";
import { roleOf } from "../columns/column-roles.ts";
import { isRunName } from "../columns/wide-groups.ts";
import { isAnswered, isNamed, isRecord } from "./record-roles.ts";

/** How many levels of objects may contain a column. */
const DEEPEST = 3;

type Values = JsonObject | readonly Json[];

/** The values at each place in a file, with what their path says about them. */
interface Column {
  /** The member that says what the values are, such as `answers`. */
  readonly what: string | undefined;
  /** The rest of the path: the model. */
  readonly model: string;
  readonly values: Values;
}

/** The records of a document of parallel columns; undefined if it has none. */
export function recordsOfColumns(document: JsonObject): readonly JsonObject[] | undefined {
  const single = Object.entries(document).filter(([, value]) => !isStructure(value));
  // A record of one question may have lists too.
  const ofRow = ["id", "input", "expected", "output"];
  if (single.some(([name]) => ofRow.includes(roleOf(name)?.role ?? ""))) return undefined;
  const all = columnsOf(document);
  const results = all.filter(({ what, model }) => isResult(what) || isRunName(model));
  const [shape, ...others] = new Set(results.map(({ values }) => shapeOf(values)));
  if (shape === undefined || others.length > 0) return undefined;
  const columns = all.filter(({ values }) => shapeOf(values) === shape);
  const places = Object.keys(results[0]!.values);
  if (places.some((place) => roleOf(place) !== undefined)) return undefined;
  const shared = columns.filter(({ model }) => model === "");
  const models = [...new Set(columns.map(({ model }) => model))].filter((model) => model !== "");
  const beside = objectOf(
    single.flatMap(([name, value]) => (isAggregate(name, value) ? [] : [[name, document, name]])),
  );
  const own = { shared, places, beside };
  return models.length === 0 ? ofOne(columns, own) : ofModels(columns, models, own);
}

interface Own {
  readonly shared: readonly Column[];
  readonly places: readonly string[];
  /** Values given once, for all records. */
  readonly beside: JsonObject;
}

function ofOne(columns: readonly Column[], { places, beside }: Own): readonly JsonObject[] | undefined {
  const named = columns.map(({ what, values }) => {
    const name = roleOf(what!) === undefined ? singular(what!) : what!;
    return [name, values] as const;
  });
  const names = named.map(([name]) => name);
  const areRecords = isRecord(names);
  if (!areRecords && (isPlaces(places) || !isRecord(["id", ...names]))) return undefined;
  // Several may expect the same answer.
  const isOwn = areRecords && isNamed(names);
  return places.map((place, i) => recordAt(place, beside, isOwn ? {} : keyOf(places, i), named));
}

/** What identifies the record at a place: its key, or its number in the lists. */
function keyOf(places: readonly string[], i: number): JsonObject {
  return isPlaces(places) ? { "item number": i + 1 } : { id: places[i]! };
}

function ofModels(
  columns: readonly Column[],
  models: readonly string[],
  { shared, places, beside }: Own,
): readonly JsonObject[] | undefined {
  if (places.length < 2) return undefined;
  const areRuns = models.every(isRunName);
  // Models by row, instead of rows by model.
  const isTurned = !areRuns && places.every(isRunName);
  // Names below `scores` may also be those of questions, unless there are questions beside them.
  if (!areRuns && !isTurned && shared.length === 0) return undefined;
  const common = shared.map(({ what, values }) => [singular(what!), values] as const);
  const isOwn = isNamed(common.map(([name]) => name));
  if (areRuns && columns.every(({ what, model }) => model === "" || what === undefined)) {
    // Whether they are answers or scores follows from all values.
    const named = columns.flatMap(({ model, values }) => (model === "" ? [] : [[model, values] as const]));
    return places.map((place, i) =>
      recordAt(place, beside, isOwn ? {} : keyOf(places, i), [...common, ...named]),
    );
  }
  return models.flatMap((model) => {
    const own = columns
      .filter((column) => column.model === model)
      .map(({ what, values }) => [nameOf(what, values), values] as const);
    return places.map((place, i) => {
      const key = isOwn ? {} : isTurned ? { id: model } : keyOf(places, i);
      return recordAt(place, beside, { ...key, model: isTurned ? place : model }, [...common, ...own]);
    });
  });
}

function columnsOf(document: JsonObject): readonly Column[] {
  const members = Object.entries(document).filter((member): member is [string, Values] =>
    isStructure(member[1]),
  );
  const shapes = new Set(members.map(([, values]) => shapeOf(values)));
  const isWhole =
    shapes.size === 1 && isRecord(Object.keys(document)) && members.length === Object.keys(document).length;
  // Values of any kind, such as objects.
  return isWhole ? members.map(([what, values]) => ({ what, model: "", values })) : columnsIn(document, []);
}

function columnsIn(object: JsonObject, path: readonly string[]): readonly Column[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const here = [...path, name];
    if (isColumn(value)) return [columnAt(here, value)];
    return isObject(value) && here.length < DEEPEST ? columnsIn(value, here) : [];
  });
}

function columnAt(path: readonly string[], values: Values): Column {
  const known = path.filter((name) => !isRunName(name) && roleOf(singular(name)) !== undefined);
  // A column beside others may have any name.
  if (path.length === 1 && known.length === 0 && !isRunName(path[0]!))
    return { what: path[0], model: "", values };
  return { what: known.at(-1), model: path.filter((name) => !known.includes(name)).join("."), values };
}

/** Whether a value is a list of values, or an object of them: pandas has objects by place, also of lists and objects. */
function isColumn(value: Json): value is Values {
  if (!isStructure(value) || Object.keys(value).length === 0) return false;
  const isRecordOf = (one: Json) => isObject(one) && isAnswered(Object.keys(one));
  const isOther = Array.isArray(value) || isPlaces(Object.keys(value)) ? isRecordOf : isStructure;
  return !Object.values(value).some(isOther);
}

function isPlaces(keys: readonly string[]): boolean {
  return keys.every((key, i) => key === String(i));
}

function isStructure(value: Json): value is Values {
  return value !== null && typeof value === "object";
}

function isResult(what: string | undefined): boolean {
  const role = what === undefined ? undefined : roleOf(singular(what))?.role;
  return role === "score" || role === "output";
}

/** Columns with the same shape have values of the same records. */
function shapeOf(values: Values): string {
  return Array.isArray(values) ? String(values.length) : JSON.stringify(Object.keys(values).sort());
}

/** What a model's values are: if no name but `results` says so, numbers and truth values are scores, others answers. */
function nameOf(what: string | undefined, values: Values): string {
  const role = what === undefined ? "output" : roleOf(singular(what))?.role;
  if (role !== "output") return singular(what!);
  const isVague = what === undefined || /^results?$/i.test(what);
  const isMark = (value: Json) => value === null || ["number", "boolean"].includes(typeof value);
  return isVague && Object.values(values).every(isMark) ? "score" : "answer";
}

/** `question` for `questions`. */
function singular(name: string): string {
  const one = name.replace(/s$/i, "");
  return roleOf(one) === undefined ? name : one;
}

/** Whether a value beside records is the mean of their scores. */
export function isAggregate(name: string, value: Json): boolean {
  return typeof value === "number" && roleOf(name)?.role === "score";
}

function recordAt(
  place: string,
  beside: JsonObject,
  key: JsonObject,
  columns: readonly (readonly [string, Values])[],
): JsonObject {
  const origins = (object: JsonObject): readonly Origin[] =>
    Object.keys(object).map((name) => [name, object, name]);
  return objectOf([
    ...origins(beside),
    ...origins(key),
    ...columns.map(([name, of]): Origin => [name, of, place]),
  ]);
}

/** A record of the value at a place in each column. */
export function rowOf(columns: readonly (readonly [string, Json])[], place: string): JsonObject {
  return objectOf(columns.map(([name, column]) => [name, column as Values, place]));
}
