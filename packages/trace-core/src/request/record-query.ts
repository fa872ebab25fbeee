// Queries for records of a project: feedback and costs.

import { bad, type Json, type JsonObject, ok, type Result } from "@assay/base";
import { lazySchemas } from "@assay/base/internal";
import { type Expr, type FieldPath, getPath, readQuery, testQuery } from "@assay/query-lang";
import { type } from "arktype";
import type { ReadContext } from "../ports/read-context.ts";
import { comparingInstants, secondsAt } from "../sorting/call-time.ts";
import { mergeSortCooperatively } from "../sorting/cooperative-sort.ts";
import { compareByKeys, readSortKeys, type SortKey, sortValue } from "../sorting/sort-keys.ts";
import { type Described, readBody } from "./read-body.ts";

const schemas = lazySchemas(() => {
  const SortBy = type({ field: "string", direction: "'asc'|'desc'", "+": "reject" });
  /** The body of a query for records. */
  const RecordQueryBody = type({
    project_id: "string",
    "fields?": "string[] <= 1000 | null",
    "query?": "unknown",
    "sort_by?": SortBy.array().atMostLength(16).or("null"),
    "limit?": "number.integer>=0|null",
    "offset?": "number.integer>=0|null",
    "+": "reject",
  });
  /** The body that selects records to remove. */
  const PurgeBody = type({ project_id: "string", query: "object", "+": "reject" });
  return { RecordQueryBody, PurgeBody };
});

/** The schemas, for an OpenAPI document. */
export const RECORD_SCHEMAS: () => Described<"RecordQueryBody" | "PurgeBody"> = schemas;

/** The fields by which records of a kind can be queried. */
export interface RecordFields {
  /** The noun for a record, with its article. */
  readonly noun: string;
  /** The fields. */
  readonly names: ReadonlySet<string>;
  /** Those fields that have fields inside. */
  readonly open: readonly string[];
}

/** A parsed query for records. */
export interface RecordQuery {
  /** `entity/project`. */
  readonly project: string;
  /** The condition that a record must meet, with times compared as instants. */
  readonly expr: Expr | undefined;
  /** The top-level fields to return; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
  /** Empty: in the given order. */
  readonly sortBy: readonly SortKey[];
  /** The most records to return; undefined for all. */
  readonly limit: number | undefined;
  /** The number of records to skip. */
  readonly offset: number;
}

/** Reads a query for records. */
export function readRecordQuery(given: unknown, fields: RecordFields): Result<RecordQuery> {
  const read = readBody(schemas().RecordQueryBody, given);
  if (!read.ok) return read;
  const body = read.value;
  const fault = (path: FieldPath) => faultOf(fields, path);
  const expr =
    body.query == null ? ok(undefined) : readQuery(body.query, { at: ["body", "query"], field: fault });
  const sortBy = readSortKeys(body.sort_by ?? [], ["body", "sort_by"], fault);
  const wrong = (body.fields ?? []).flatMap((field, i) => {
    const message = faultOf(fields, [field.split(".")[0]!]);
    return message === undefined ? [] : [{ code: "value_error", path: ["body", "fields", i], message }];
  });
  if (!expr.ok || !sortBy.ok || wrong.length > 0)
    return bad([
      ...(expr.ok ? [] : expr.issues),
      ...(sortBy.ok ? [] : sortBy.issues),
      ...wrong.slice(0, 100),
    ]);
  return ok({
    project: body.project_id,
    expr: expr.value && comparingInstants(expr.value),
    fields: body.fields == null ? undefined : new Set(body.fields.map((field) => field.split(".")[0]!)),
    sortBy: sortBy.value,
    limit: body.limit ?? undefined,
    offset: body.offset ?? 0,
  });
}

/** Reads which records to remove. */
export function readPurge(given: unknown, fields: RecordFields): Result<RecordQuery> {
  const read = readBody(schemas().PurgeBody, given);
  return read.ok ? readRecordQuery(read.value, fields) : read;
}

/** Whether a record matches. */
export function matchesQuery({ expr }: RecordQuery, record: object): boolean {
  return expr === undefined || testQuery(expr, (path) => valueAt(record as JsonObject, path)) === true;
}

/** The page of records that match. Throws a `cancelled` fault when the client disconnects. */
export async function pageOfRecords(
  found: readonly object[],
  { sortBy, offset, limit = Number.POSITIVE_INFINITY, fields }: RecordQuery,
  reading: ReadContext,
): Promise<readonly JsonObject[]> {
  const keyed = found.map((record) => ({
    record: record as JsonObject,
    keys: sortBy.map(({ path }) => sortValue(valueAt(record as JsonObject, path))),
  }));
  const ordered =
    sortBy.length === 0
      ? keyed
      : await mergeSortCooperatively(keyed, (a, b) => compareByKeys(sortBy, a.keys, b.keys), reading);
  return ordered.slice(offset, offset + limit).map(({ record }) => only(fields, record));
}

function valueAt(record: JsonObject, path: FieldPath): Json {
  return path.at(-1) === "" ? secondsAt(path, getPath(record, path.slice(0, -1))) : getPath(record, path);
}

/** Why a path leads to none of the fields, or undefined. */
export function faultOf(
  { noun, names, open }: RecordFields,
  [name, ...inside]: FieldPath,
): string | undefined {
  if (name === undefined || !names.has(name))
    return `${noun} has no such field; its fields are ${[...names].join(", ")}`;
  return inside.length > 0 && !open.includes(name) ? `${name} has no fields inside` : undefined;
}

function only(fields: ReadonlySet<string> | undefined, record: JsonObject): JsonObject {
  if (fields === undefined) return record;
  return Object.fromEntries(Object.entries(record).filter(([key]) => fields.has(key)));
}
