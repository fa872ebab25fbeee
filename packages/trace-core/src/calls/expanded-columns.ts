// Columns of calls with their references resolved: each reference is replaced by the object it refers to.

import type { Json, JsonObject } from "@assay/base";
import { isJsonObject, lruCache } from "@assay/base/internal";
import { type FieldPath, getPath } from "@assay/query-lang";
import { type RefReading, resolveRefs } from "../objects/read-refs.ts";
import { readWeaveRef, type WeaveRef } from "../objects/weave-ref.ts";
import type { TraceStores } from "../ports/stores.ts";
import { withOutputOf } from "../ports/trace-call.ts";

/**
 * The views of a call: as it was logged, then with its shortest columns expanded, then with the next longer ones too,
 * and so on.
 */
export type ExpandedViews = readonly JsonObject[];

/** The number of resolved references kept from one batch of calls to the next, because many are the same. */
const KEPT = 200;

/** Whether `path` leads into one of the columns. */
export function passesThrough(columns: readonly FieldPath[], path: FieldPath): boolean {
  return columns.some(
    (column) => column.length < path.length && column.every((segment, i) => segment === path[i]),
  );
}

/** The view to look up `path` in: the one with all shorter columns expanded. */
export function viewAt(views: ExpandedViews, columns: readonly FieldPath[], path: FieldPath): JsonObject {
  return views[lengthsOf(columns).filter((length) => length < path.length).length]!;
}

/** Expands `columns` in batches of calls. */
export function expansion(
  stores: Pick<TraceStores, "objects" | "tables">,
  columns: readonly FieldPath[],
  reading: RefReading,
): (calls: readonly JsonObject[]) => Promise<readonly ExpandedViews[]> {
  const kept = lruCache<string, Json>(KEPT);
  /** The values of references; null for those that do not exist. */
  const resolved = async (refs: ReadonlyMap<string, WeaveRef>): Promise<ReadonlyMap<string, Json>> => {
    const fresh = [...refs].filter(([text]) => kept.get(text) === undefined);
    const values = await resolveRefs(
      stores,
      fresh.map(([, ref]) => ref),
      reading,
    );
    const found = new Map(fresh.map(([text], i) => [text, values[i]!]));
    for (const text of refs.keys()) if (!found.has(text)) found.set(text, kept.get(text)!);
    for (const [text, value] of found) kept.set(text, value);
    return found;
  };
  return async (calls) => {
    const views = calls.map((call) => [call]);
    for (const length of lengthsOf(columns)) {
      const some = columns.filter((column) => column.length === length);
      const refs = new Map<string, WeaveRef>();
      for (const levels of views)
        for (const column of some) {
          const [text, ref] = refAt(levels.at(-1)!, column);
          if (ref !== undefined) refs.set(text, ref);
        }
      const found = await resolved(refs);
      for (const levels of views) {
        const last = levels.at(-1)!;
        levels.push(some.reduce((view, column) => expandedAt(view, column, found), last));
      }
    }
    return views;
  };
}

/** The distinct lengths of columns, shortest first: a column may be inside another. */
function lengthsOf(columns: readonly FieldPath[]): readonly number[] {
  return [...new Set(columns.map(({ length }) => length))].sort((a, b) => a - b);
}

function refAt(view: JsonObject, column: FieldPath): [text: string, ref: WeaveRef | undefined] {
  const value = getPath(view, column);
  return typeof value === "string" ? [value, readWeaveRef(value)] : ["", undefined];
}

/** The view with the references of a column resolved. Those that cannot be resolved stay. */
function expandedAt(view: JsonObject, column: FieldPath, found: ReadonlyMap<string, Json>): JsonObject {
  const [text, ref] = refAt(view, column);
  const value = ref === undefined ? null : (found.get(text) ?? null);
  if (value === null) return view;
  // A resolved object states its reference, so that clients recognise it.
  const named = isJsonObject(value) && !Object.hasOwn(value, "_ref") ? { ...value, _ref: text } : value;
  return withOutputOf(view, withAt(view, column, named) as JsonObject);
}

function withAt(value: Json, [name, ...rest]: FieldPath, put: Json): Json {
  if (name === undefined) return put;
  if (Array.isArray(value))
    return value.map((item, i) => (String(i) === name ? withAt(item, rest, put) : item));
  const members = value as JsonObject;
  return { ...members, [name]: withAt(members[name]!, rest, put) };
}
