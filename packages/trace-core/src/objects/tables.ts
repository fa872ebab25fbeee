// Tables: lists of rows. Each row and each list is identified by its content. Datasets keep their rows in them.

import {
  atOnce,
  bad,
  type Issue,
  type Json,
  type JsonObject,
  ok,
  type Result,
  type Steps,
} from "@assay/base";
import { lazySchemas, readAs } from "@assay/base/internal";
import { getPath } from "@assay/query-lang";
import { type } from "arktype";
import { type ReadContext, yieldNow } from "../ports/read-context.ts";
import type { TableRow, TableStore } from "../ports/table-store.ts";
import { PlainObject } from "../request/plain-object.ts";
import { type Described, readBody } from "../request/read-body.ts";
import { readEach } from "../request/read-each.ts";
import { unsupportedOptions } from "../request/unsupported-options.ts";
import { mergeSortCooperatively } from "../sorting/cooperative-sort.ts";
import { compareByKeys, readSortKeys, type SortKey, sortValue } from "../sorting/sort-keys.ts";
import { tableDigestSteps, valueDigest } from "./digests.ts";

const schemas = lazySchemas(() => {
  /** A row of a table. */
  const Row = PlainObject();
  // Long lists are checked one item at a time, below. The size of rows and changes is limited by the request: the
  // store writes them, and the answer has the digest of each, so clients send longer tables in chunks.
  /** The body that creates a table. */
  const TableBody = type({
    table: { project_id: "string", rows: "unknown[] <= 250000", "expected_digest?": "string|null" },
  }).onDeepUndeclaredKey("reject");
  /** The body that creates a table from existing rows. */
  const TableDigestsBody = type({
    project_id: "string",
    row_digests: "unknown[]",
    "expected_digest?": "string|null",
    "+": "reject",
  });
  /** The body that derives a table from another. */
  const TableUpdateBody = type({
    project_id: "string",
    base_digest: "string",
    updates: "unknown[] <= 250000",
    "+": "reject",
  });
  /** One change to a table. */
  const Change = type({ append: { row: Row } })
    .or({ pop: { index: "number.integer>=0" } })
    .or({ insert: { index: "number.integer>=0", row: Row } })
    .onDeepUndeclaredKey("reject");
  const Digest = type("string");
  /** The body of a query for rows. */
  const TableQueryBody = type({
    project_id: "string",
    digest: "string",
    "filter?": type({ "row_digests?": "string[] <= 10000 | null" }).or("null"),
    "limit?": "number.integer>=0|null",
    "offset?": "number.integer>=0|null",
    "sort_by?": type({ field: "string", direction: "'asc'|'desc'" }).array().atMostLength(16).or("null"),
  }).onDeepUndeclaredKey("reject");
  /** The body that counts a table's rows. */
  const TableStatsBody = type({ project_id: "string", digest: "string", "+": "reject" });
  /** The body that counts the rows of several tables, each of which is read. */
  const TableStatsBatchBody = type({
    project_id: "string",
    "digests?": "string[] <= 1000 | null",
    "include_storage_size?": unsupportedOptions().Sizes,
    "+": "reject",
  });
  return {
    Row,
    TableBody,
    TableDigestsBody,
    TableUpdateBody,
    Change,
    Digest,
    TableQueryBody,
    TableStatsBody,
    TableStatsBatchBody,
  };
});

/** The schemas, for an OpenAPI document. */
export const TABLE_SCHEMAS: () => Described<
  | "Row"
  | "TableBody"
  | "TableDigestsBody"
  | "TableUpdateBody"
  | "Change"
  | "TableQueryBody"
  | "TableStatsBody"
  | "TableStatsBatchBody"
> = schemas;

/** A table to store: its rows, and the digests that list them. */
export interface NewTable {
  /** `entity/project`. */
  readonly project: string;
  /** The table's digest. */
  readonly digest: string;
  /** Its rows, in order. */
  readonly rowDigests: readonly string[];
  /** Rows that may be new. The others exist already. */
  readonly rows: readonly TableRow[];
}

/** One change to a table. */
type TableChange =
  | { readonly append: { readonly row: object } }
  | { readonly pop: { readonly index: number } }
  | { readonly insert: { readonly index: number; readonly row: object } };

/** How to derive a table from another. */
export interface TableUpdate {
  /** `entity/project`. */
  readonly project_id: string;
  /** The table to start from. */
  readonly base_digest: string;
  /** Changes, applied in order. */
  readonly updates: readonly TableChange[];
}

/** Tables whose rows to count. */
export interface TableStats {
  /** `entity/project`. */
  readonly project_id: string;
  /** Digests of tables. */
  readonly digests?: readonly string[] | null;
}

/** A parsed query for rows of a table. */
export interface TableQuery {
  /** `entity/project`. */
  readonly project: string;
  /** The table's digest. */
  readonly digest: string;
  /** The rows to return; undefined for all. */
  readonly rowDigests: ReadonlySet<string> | undefined;
  /** Empty: in the order of the table. */
  readonly sortBy: readonly SortKey[];
  /** The most rows to return; undefined for all. */
  readonly limit: number | undefined;
  /** The number of rows to skip. */
  readonly offset: number;
}

/** Reads a table to create. The issue `digest_mismatch` means that the client expected another digest. */
export function* readTableCreate(given: unknown): Steps<Result<NewTable>> {
  const read = readBody(schemas().TableBody, given);
  if (!read.ok) return read;
  const body = read.value;
  const rows = yield* readEach(body.table.rows, (row, i) => {
    const one = readAs(schemas().Row, row, { at: ["body", "table", "rows", i] });
    return one.ok ? ok(rowOf(one.value)) : one;
  });
  if (!rows.ok) return rows;
  const rowDigests = rows.value.map(({ digest }) => digest);
  const digest = yield* tableDigestSteps(rowDigests);
  const wrong = mismatch(body.table.expected_digest, digest, ["body", "table", "expected_digest"]);
  return wrong ?? ok({ project: body.table.project_id, digest, rowDigests, rows: rows.value });
}

/** Reads a table to create from existing rows. */
export function* readTableFromDigests(given: unknown): Steps<Result<NewTable>> {
  const read = readBody(schemas().TableDigestsBody, given);
  if (!read.ok) return read;
  const body = read.value;
  const rowDigests = yield* readEach(body.row_digests, (one, i) =>
    readAs(schemas().Digest, one, { at: ["body", "row_digests", i] }),
  );
  if (!rowDigests.ok) return rowDigests;
  const digest = yield* tableDigestSteps(rowDigests.value);
  const wrong = mismatch(body.expected_digest, digest, ["body", "expected_digest"]);
  return wrong ?? ok({ project: body.project_id, digest, rowDigests: rowDigests.value, rows: [] });
}

/** Reads how to derive a table from another. */
export function* readTableUpdate(given: unknown): Steps<Result<TableUpdate>> {
  const body = readBody(schemas().TableUpdateBody, given);
  if (!body.ok) return body;
  const updates = yield* readEach(body.value.updates, (one, i) =>
    readAs<TableChange>(schemas().Change, one, { at: ["body", "updates", i] }),
  );
  return updates.ok ? ok({ ...body.value, updates: updates.value }) : updates;
}

/** Reads a query for rows of a table. */
export function readTableQuery(given: unknown): Result<TableQuery> {
  const read = readBody(schemas().TableQueryBody, given);
  if (!read.ok) return read;
  const body = read.value;
  const sortBy = readSortKeys(body.sort_by ?? [], ["body", "sort_by"], () => undefined);
  if (!sortBy.ok) return sortBy;
  const wanted = body.filter?.row_digests;
  return ok({
    project: body.project_id,
    digest: body.digest,
    rowDigests: wanted == null ? undefined : new Set(wanted),
    sortBy: sortBy.value,
    limit: body.limit ?? undefined,
    offset: body.offset ?? 0,
  });
}

/** Reads whose rows to count, for one table. */
export function readTableStats(given: unknown): Result<TableStats> {
  const read = readBody(schemas().TableStatsBody, given);
  return read.ok ? ok({ project_id: read.value.project_id, digests: [read.value.digest] }) : read;
}

/** Reads whose rows to count, for several tables. */
export function readTableStatsBatch(given: unknown): Result<TableStats> {
  return readBody(schemas().TableStatsBatchBody, given);
}

/** Stores a table. */
export async function createTable(store: TableStore, table: NewTable): Promise<void> {
  await store.put(table.project, table.digest, table.rowDigests, table.rows);
}

/** The result of updating a table. */
export interface UpdatedTable {
  /** The new table's digest. */
  readonly digest: string;
  /** The digests of the rows that were added or removed, in order. */
  readonly changed: readonly string[];
}

/**
 * Applies updates in order and stores the new table. Undefined if the table to start from does not exist. `run` runs
 * the steps, because many changes to a long table take long.
 */
export async function updateTable(
  store: TableStore,
  update: TableUpdate,
  run: <T>(steps: Steps<T>) => Promise<T> | T = atOnce,
): Promise<Result<UpdatedTable> | undefined> {
  const base = await store.table(update.project_id, update.base_digest);
  if (base === undefined) return undefined;
  const changed = await run(changesTo([...base], update.updates));
  if (!changed.ok) return changed;
  const { digests, rows, digest } = changed.value;
  await store.put(update.project_id, digest, digests, rows);
  return ok({ digest, changed: changed.value.changed });
}

/** A table after its changes. */
interface ChangedTable extends UpdatedTable {
  readonly digests: readonly string[];
  /** Rows that may be new. */
  readonly rows: readonly TableRow[];
}

function* changesTo(digests: string[], updates: readonly TableChange[]): Steps<Result<ChangedTable>> {
  const rows: TableRow[] = [];
  const changed: string[] = [];
  for (const [i, change] of updates.entries()) {
    yield;
    const [kind, index, row] = partsOf(change);
    const end = kind === "pop" ? digests.length - 1 : digests.length;
    if (index !== undefined && index > end) {
      const message = `the table has only ${digests.length} rows`;
      return bad([{ code: "value_error", path: ["body", "updates", i, kind, "index"], message }]);
    }
    if (row !== undefined) rows.push(row);
    if (kind === "pop") changed.push(...digests.splice(index!, 1));
    else {
      digests.splice(index ?? digests.length, 0, row!.digest);
      changed.push(row!.digest);
    }
  }
  const digest = yield* tableDigestSteps(digests);
  return ok({ digest, changed, digests, rows });
}

/**
 * The rows that `query` selects; undefined if the table does not exist. Throws a `cancelled` fault when the client
 * disconnects.
 */
export async function queryTable(
  store: TableStore,
  query: TableQuery,
  reading: ReadContext = {},
): Promise<readonly JsonObject[] | undefined> {
  const digests = await store.table(query.project, query.digest);
  if (digests === undefined) return undefined;
  const { offset, limit = Number.POSITIVE_INFINITY, sortBy, rowDigests } = query;
  const wanted = await selectedRows(digests, rowDigests, reading);
  // Without sort keys, only the rows of the page are read.
  const read = sortBy.length === 0 ? wanted.slice(offset, offset + limit) : wanted;
  const keyed: { readonly row: JsonObject; readonly keys: readonly Json[] }[] = [];
  for (let at = 0; at < read.length; at += ROWS_AT_ONCE) {
    await yieldNow(reading);
    const some = read.slice(at, at + ROWS_AT_ONCE);
    const values = await store.rowValues(
      query.project,
      some.map(({ digest }) => digest),
    );
    for (const [i, one] of some.entries()) {
      const row = { ...one, val: values[i] ?? null };
      keyed.push({ row, keys: sortBy.map(({ path }) => sortValue(getPath(row.val, path))) });
    }
  }
  if (sortBy.length === 0) return keyed.map(({ row }) => row);
  const ordered = await mergeSortCooperatively(
    keyed,
    (a, b) => compareByKeys(sortBy, a.keys, b.keys),
    reading,
  );
  return ordered.slice(offset, offset + limit).map(({ row }) => row);
}

/** The number of rows per read. */
const ROWS_AT_ONCE = 1000;
/** The number of digests compared without a pause. */
const DIGESTS_AT_ONCE = 20_000;

/** The rows of a table that a query selects, in order. */
async function selectedRows(
  digests: readonly string[],
  rowDigests: ReadonlySet<string> | undefined,
  reading: ReadContext,
): Promise<{ readonly digest: string; readonly original_index: number }[]> {
  const wanted: { digest: string; original_index: number }[] = [];
  for (const [original_index, digest] of digests.entries()) {
    if (rowDigests === undefined || rowDigests.has(digest)) wanted.push({ digest, original_index });
    if (original_index % DIGESTS_AT_ONCE === 0) await yieldNow(reading);
  }
  return wanted;
}

/**
 * The number of rows of each table. Tables that do not exist are left out, and one that is named twice is counted
 * once. Throws a `cancelled` fault when the client disconnects.
 */
export async function countRows(
  store: TableStore,
  { project_id, digests }: TableStats,
  reading: ReadContext = {},
): Promise<readonly { readonly digest: string; readonly count: number }[]> {
  const counted: { digest: string; count: number }[] = [];
  for (const digest of new Set(digests ?? [])) {
    await yieldNow(reading);
    const rows = await store.table(project_id, digest);
    if (rows !== undefined) counted.push({ digest, count: rows.length });
  }
  return counted;
}

function rowOf(row: object): TableRow {
  return { digest: valueDigest(row as Json), val: row as Json };
}

function partsOf(
  change: TableChange,
): [kind: "append" | "pop" | "insert", index: number | undefined, row?: TableRow] {
  if ("append" in change) return ["append", undefined, rowOf(change.append.row)];
  if ("pop" in change) return ["pop", change.pop.index];
  return ["insert", change.insert.index, rowOf(change.insert.row)];
}

function mismatch(
  expected: string | null | undefined,
  digest: string,
  path: Issue["path"],
): Result<never> | undefined {
  if (expected == null || expected === digest) return undefined;
  return bad([{ code: "digest_mismatch", path, message: `this content has the digest ${digest}` }]);
}
