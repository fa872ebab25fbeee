// Resolves references to their values.

import { bad, type Json, ok, type Result } from "@assay/base";
import { lazySchemas, lruCache } from "@assay/base/internal";
import { type } from "arktype";
import { type ReadContext, yieldNow } from "../ports/read-context.ts";
import type { TraceStores } from "../ports/stores.ts";
import { type Described, readBody } from "../request/read-body.ts";
import { findVersion } from "./objects.ts";
import { type RefStep, readWeaveRef, type WeaveRef } from "./weave-ref.ts";

const schemas = lazySchemas(() => {
  /** The body that resolves references, as many as clients send in one request. */
  const RefsBody = type({ refs: "string[] <= 1000", "+": "reject" });
  return { RefsBody };
});

/** The schemas, for an OpenAPI document. */
export const REFS_SCHEMAS: () => Described<"RefsBody"> = schemas;

/** The most references on the way to one value, since a reference can lead to another. */
const MAX_HOPS = 16;
/** The number of references followed concurrently: each may read a table. */
const TOGETHER = 16;
/** The number of table digests compared without a pause. */
const DIGESTS_AT_ONCE = 20_000;

/** Reads a list of references. Issue codes: `too_long`, and `value_error` for a text that is not a reference. */
export function readRefs(given: unknown): Result<readonly WeaveRef[]> {
  const body = readBody(schemas().RefsBody, given);
  if (!body.ok) return body;
  const { refs } = body.value;
  const read = refs.map(readWeaveRef);
  const wrong = read.indexOf(undefined);
  if (wrong === -1) return ok(read as WeaveRef[]);
  return bad([
    { code: "value_error", path: ["body", "refs", wrong], message: "must be a weave:/// reference" },
  ]);
}

/** How to follow references. */
export interface RefReading extends ReadContext {
  /** Whether the reader may access a project, `entity/project`. */
  readonly allowed: (project: string) => boolean;
}

/**
 * The value of each reference, in order; null if it does not exist, is deleted, or is in a project that `allowed`
 * rejects: a reference in one project must not give access to another. Throws a `cancelled` fault when the client
 * disconnects.
 */
export async function resolveRefs(
  stores: Pick<TraceStores, "objects" | "tables">,
  refs: readonly WeaveRef[],
  reading: RefReading,
): Promise<readonly Json[]> {
  const { allowed } = reading;
  const values: Json[] = [];
  const tables = tablesOnce(stores.tables, reading);
  for (let i = 0; i < refs.length; i += TOGETHER) {
    await yieldNow(reading);
    const some = refs.slice(i, i + TOGETHER);
    values.push(
      ...(await Promise.all(some.map((ref) => resolve({ ...stores, tables }, ref, allowed, MAX_HOPS)))),
    );
  }
  return values;
}

async function resolve(
  stores: RefStores,
  ref: WeaveRef,
  allowed: (project: string) => boolean,
  hops: number,
): Promise<Json> {
  if (hops === 0 || !allowed(ref.project)) return null;
  const { project, steps } = ref;
  if (ref.kind === "call") return null;
  if (ref.kind === "table") return rowOf(stores, ref);
  const version = await findVersion(stores.objects, project, ref.name, ref.digest, ref.kind);
  let value: Json = version === undefined || version.deleted_at !== null ? null : version.val;
  for (const [i, step] of steps.entries()) {
    // A value that is itself a reference is replaced by its target.
    const next = typeof value === "string" ? readWeaveRef(value) : undefined;
    if (next !== undefined) {
      return resolve(stores, { ...next, steps: [...next.steps, ...steps.slice(i)] }, allowed, hops - 1);
    }
    value = into(value, step);
    if (value === null) return null;
  }
  return value;
}

/** The state of following references. */
interface RefStores extends Pick<TraceStores, "objects"> {
  readonly tables: ReturnType<typeof tablesOnce>;
}

/** A table that was read for several references. */
interface ReadTable {
  readonly digests: readonly string[];
  /** The same state. */
  readonly all: ReadonlySet<string>;
}

/** Caches the tables used last: references mostly lead to rows of one. */
function tablesOnce(store: TraceStores["tables"], reading: ReadContext) {
  const read = lruCache<string, Promise<ReadTable | undefined>>(TOGETHER);
  const readTable = async (project: string, digest: string): Promise<ReadTable | undefined> => {
    const digests = await store.table(project, digest);
    if (digests === undefined) return undefined;
    const all = new Set<string>();
    for (const one of digests) if (all.add(one).size % DIGESTS_AT_ONCE === 0) await yieldNow(reading);
    return { digests, all };
  };
  return {
    rowValues: (project: string, digests: readonly string[]) => store.rowValues(project, digests),
    table(project: string, digest: string): Promise<ReadTable | undefined> {
      const key = JSON.stringify([project, digest]);
      const table = read.get(key) ?? readTable(project, digest);
      read.set(key, table);
      return table;
    },
  };
}

/** A table is a list of rows; a step by ID selects one row, and further steps lead into it. */
async function rowOf({ tables }: RefStores, { project, digest, steps }: WeaveRef): Promise<Json> {
  const table = await tables.table(project, digest);
  if (table === undefined) return null;
  const [first, ...rest] = steps;
  if (first === undefined) return null;
  const row =
    first.by === "id" ? first.name : first.by === "index" ? table.digests[Number(first.name)] : undefined;
  if (row === undefined || (first.by === "id" && !table.all.has(row))) return null;
  const [value = null] = await tables.rowValues(project, [row]);
  return rest.reduce<Json>(into, value);
}

function into(value: Json, { by, name }: RefStep): Json {
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) return by === "index" ? ((value as readonly Json[])[Number(name)] ?? null) : null;
  return by !== "index" && Object.hasOwn(value, name)
    ? ((value as { [key: string]: Json })[name] ?? null)
    : null;
}
