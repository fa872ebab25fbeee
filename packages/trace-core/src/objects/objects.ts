// Objects: published models, datasets, ops and others, in versions identified by their content.

import { bad, type Json, type JsonObject, ok, type Result } from "@assay/base";
import { compareText, isJsonObject, lazySchemas } from "@assay/base/internal";
import { type } from "arktype";
import type { NumberedHead, NumberedVersion, ObjectStore, ObjectVersion } from "../ports/object-store.ts";
import { type ReadContext, yieldNow } from "../ports/read-context.ts";
import { PlainObject } from "../request/plain-object.ts";
import { type Described, readBody } from "../request/read-body.ts";
import { unsupportedOptions } from "../request/unsupported-options.ts";
import { mergeSortCooperatively } from "../sorting/cooperative-sort.ts";
import { valueDigest } from "./digests.ts";

const schemas = lazySchemas(() => {
  /** The body that creates a version of an object. */
  const ObjectBody = type({
    obj: {
      project_id: "string",
      object_id: "1 <= string <= 512",
      val: "unknown",
      "builtin_object_class?": "string|null",
      "set_base_object_class?": "string|null",
      "expected_digest?": "string|null",
      "wb_user_id?": "string|null",
    },
  }).onDeepUndeclaredKey("reject");

  /** The body that reads one version. */
  const ObjectReadBody = type({
    project_id: "string",
    object_id: "string",
    digest: "string",
    "metadata_only?": "boolean|null",
    "include_tags_and_aliases?": "boolean|null",
    "+": "reject",
  });

  const Names = type("string[] <= 10000 | null");
  /** The body of a query for versions. */
  const ObjectsQueryBody = type({
    project_id: "string",
    "filter?": PlainObject()
      .and({
        "object_ids?": Names,
        "base_object_classes?": Names,
        "exclude_base_object_classes?": Names,
        "leaf_object_classes?": Names,
        "is_op?": "boolean|null",
        "latest_only?": "boolean|null",
        "tags?": Names,
        "aliases?": Names,
        "+": "reject",
      })
      .or("null"),
    "limit?": "number.integer>=0|null",
    "offset?": "number.integer>=0|null",
    "sort_by?": type({ field: "'object_id'|'created_at'", direction: "'asc'|'desc'", "+": "reject" })
      .array()
      .atMostLength(16)
      .or("null"),
    "metadata_only?": "boolean|null",
    "include_tags_and_aliases?": "boolean|null",
    "include_storage_size?": unsupportedOptions().Sizes,
    "+": "reject",
  });

  /** The body that deletes versions. */
  const ObjectRemovalBody = type({
    project_id: "string",
    object_id: "string",
    "digests?": Names,
    "+": "reject",
  });
  return { ObjectBody, ObjectReadBody, ObjectsQueryBody, ObjectRemovalBody };
});

/** The schemas, for an OpenAPI document. */
export const OBJECT_SCHEMAS: () => Described<
  "ObjectBody" | "ObjectReadBody" | "ObjectsQueryBody" | "ObjectRemovalBody"
> = schemas;

/** Which version of which object to read. */
export interface ObjectRead {
  /** `entity/project`. */
  readonly project_id: string;
  /** The object's name. */
  readonly object_id: string;
  /** A digest, `latest` or `v<index>`. */
  readonly digest: string;
  /** Whether to leave out its value. */
  readonly metadata_only?: boolean | null;
  /** Whether to include its aliases: `latest` for the latest version, none for others. */
  readonly include_tags_and_aliases?: boolean | null;
}

/** Which versions of objects to list. */
export interface ObjectsQuery {
  /** `entity/project`. */
  readonly project_id: string;
  /** Requirements for versions. Of each given list, a version must match one member. */
  readonly filter?: {
    readonly object_ids?: readonly string[] | null;
    readonly base_object_classes?: readonly string[] | null;
    readonly exclude_base_object_classes?: readonly string[] | null;
    readonly leaf_object_classes?: readonly string[] | null;
    readonly is_op?: boolean | null;
    readonly latest_only?: boolean | null;
    readonly tags?: readonly string[] | null;
    readonly aliases?: readonly string[] | null;
  } | null;
  /** The most versions to return. */
  readonly limit?: number | null;
  /** The number of versions to skip. */
  readonly offset?: number | null;
  /** Default: by object ID and then in order of creation. */
  readonly sort_by?:
    | readonly { readonly field: "object_id" | "created_at"; readonly direction: "asc" | "desc" }[]
    | null;
  /** Whether to leave out their values. */
  readonly metadata_only?: boolean | null;
  /** Whether to include their aliases: `latest` for the latest version, none for others. */
  readonly include_tags_and_aliases?: boolean | null;
}

/** Which versions of an object to delete; all if `digests` is absent. */
export interface ObjectRemoval {
  /** `entity/project`. */
  readonly project_id: string;
  /** The object's name. */
  readonly object_id: string;
  /** Digests, `latest` or `v<index>`. */
  readonly digests?: readonly string[] | null;
}

/**
 * Reads a version to create, at `now`. The issue `digest_mismatch` means that the client expected another digest for
 * this content.
 */
export function readObjectCreate(given: unknown, now: string): Result<ObjectVersion> {
  const read = readBody(schemas().ObjectBody, given);
  if (!read.ok) return read;
  const body = read.value;
  const { obj } = body;
  const named = obj.builtin_object_class ?? obj.set_base_object_class ?? null;
  const val = withClasses(obj.val as Json, named);
  const classes = classesOf(val);
  if (classes.base_object_class === "Monitor" && isJsonObject(val) && val["active"] === true) {
    const message =
      "must not be true: monitors do not run here; score calls in the client, with call.apply_scorer";
    return bad([{ code: "value_error", path: ["body", "obj", "val", "active"], message }]);
  }
  const digest = valueDigest(val);
  if (obj.expected_digest != null && obj.expected_digest !== digest) {
    const message = `this content has the digest ${digest}`;
    return bad([{ code: "digest_mismatch", path: ["body", "obj", "expected_digest"], message }]);
  }
  return ok({
    project_id: obj.project_id,
    object_id: obj.object_id,
    digest,
    kind: isOp(val) ? "op" : "object",
    ...classes,
    created_at: now,
    deleted_at: null,
    wb_user_id: obj.wb_user_id ?? null,
    val,
  });
}

/** Reads which version to read. */
export function readObjectRead(given: unknown): Result<ObjectRead> {
  return readBody(schemas().ObjectReadBody, given);
}

/** Reads which versions to list. */
export function readObjectsQuery(given: unknown): Result<ObjectsQuery> {
  return readBody(schemas().ObjectsQueryBody, given);
}

/** Reads which versions to delete. */
export function readObjectRemoval(given: unknown): Result<ObjectRemoval> {
  return readBody(schemas().ObjectRemovalBody, given);
}

/**
 * The version named by a digest, `latest` or `v<index>`, deleted or not; undefined if there is none. An unknown `kind`
 * matches any.
 */
export async function findVersion(
  store: ObjectStore,
  project: string,
  object: string,
  digest: string,
  kind?: ObjectVersion["kind"],
): Promise<NumberedVersion | undefined> {
  const all = await store.versions(project, [object]);
  const found = namedIn(kind === undefined ? all : all.filter((head) => head.kind === kind), digest);
  return found && (await withValue(store, found));
}

function namedIn(versions: readonly NumberedHead[], digest: string): NumberedHead | undefined {
  if (digest === "latest") return latestOf(versions);
  const index = /^v(\d+)$/.exec(digest)?.[1];
  return (
    versions.find((version) => version.digest === digest) ??
    (index === undefined ? undefined : versions.find(({ version_index }) => version_index === Number(index)))
  );
}

async function withValue(store: ObjectStore, head: NumberedHead): Promise<NumberedVersion> {
  const [val] = await store.values(head.project_id, [head]);
  return { ...head, val: val! };
}

/** The version as clients read it. */
export async function readObject(store: ObjectStore, read: ObjectRead): Promise<JsonObject | undefined> {
  const versions = await store.versions(read.project_id, [read.object_id]);
  const found = namedIn(versions, read.digest);
  if (found === undefined) return undefined;
  const latest = latestOf(versions.filter(({ kind }) => kind === found.kind));
  const version = read.metadata_only === true ? bare(found) : await withValue(store, found);
  return viewVersion(version, latest, read.include_tags_and_aliases === true);
}

/**
 * The versions that match `query` and are not deleted, by object ID and then index unless it sorts them. Throws a
 * `cancelled` fault when the client disconnects.
 */
export async function queryObjects(
  store: ObjectStore,
  query: ObjectsQuery,
  reading: ReadContext = {},
): Promise<readonly JsonObject[]> {
  const versions = await store.versions(query.project_id, query.filter?.object_ids ?? undefined);
  await yieldNow(reading);
  const latest = new Map<string, NumberedHead>();
  for (const version of versions) if (version.deleted_at === null) latest.set(objectKey(version), version);
  await yieldNow(reading);
  const fits = filterOf(query.filter ?? {}, (version) => latest.get(objectKey(version)) === version);
  const found = versions.filter((version) => version.deleted_at === null && fits(version));
  const sortBy = query.sort_by ?? [];
  const ordered =
    sortBy.length === 0 ? found : await mergeSortCooperatively(found, comparing(sortBy), reading);
  const offset = query.offset ?? 0;
  const page = ordered.slice(offset, query.limit == null ? undefined : offset + query.limit);
  const withAliases = query.include_tags_and_aliases === true;
  const view = (version: NumberedVersion) =>
    viewVersion(version, latest.get(objectKey(version)), withAliases);
  if (query.metadata_only === true) return page.map((head) => view(bare(head)));
  const values = await store.values(query.project_id, page);
  return page.map((head, i) => view({ ...head, val: values[i]! }));
}

/** The identity of an object, which its versions share. */
function objectKey({ kind, object_id }: NumberedHead): string {
  return `${kind}/${object_id}`;
}

function filterOf(
  filter: NonNullable<ObjectsQuery["filter"]>,
  isLatest: (version: NumberedHead) => boolean,
): (version: NumberedHead) => boolean {
  const set = (list: readonly string[] | null | undefined) => (list == null ? undefined : new Set(list));
  const [bases, leaves] = [set(filter.base_object_classes), set(filter.leaf_object_classes)];
  const excluded = set(filter.exclude_base_object_classes);
  const among = (wanted: ReadonlySet<string> | undefined, name: string | null) =>
    wanted === undefined || (name !== null && wanted.has(name));
  return (version) =>
    (filter.latest_only !== true || isLatest(version)) &&
    // Versions have no tags here, and only the latest one has an alias.
    filter.tags == null &&
    (filter.aliases == null || (filter.aliases.includes("latest") && isLatest(version))) &&
    (filter.is_op == null || filter.is_op === (version.kind === "op")) &&
    among(bases, version.base_object_class) &&
    among(leaves, version.leaf_object_class) &&
    !(version.base_object_class !== null && excluded?.has(version.base_object_class));
}

function comparing(
  sortBy: NonNullable<ObjectsQuery["sort_by"]>,
): (a: NumberedHead, b: NumberedHead) => number {
  return (a, b) => {
    for (const { field, direction } of sortBy) {
      const order = compareText(a[field], b[field]);
      if (order !== 0) return direction === "asc" ? order : -order;
    }
    return 0;
  };
}

/** Deletes versions at `now`: the named ones, or all. Returns the digests of those that existed. */
export async function removeVersions(
  store: ObjectStore,
  { project_id, object_id, digests }: ObjectRemoval,
  now: string,
): Promise<readonly string[]> {
  const versions = (await store.versions(project_id, [object_id])).filter(
    ({ deleted_at }) => deleted_at === null,
  );
  const named =
    digests == null ? versions : versions.filter((version) => names(digests, version, latestOf(versions)));
  const removed = named.map(({ digest }) => digest);
  await store.remove(project_id, object_id, removed, now);
  return removed;
}

function names(digests: readonly string[], version: NumberedHead, latest: NumberedHead | undefined): boolean {
  return (
    digests.includes(version.digest) ||
    digests.includes(`v${version.version_index}`) ||
    (version === latest && digests.includes("latest"))
  );
}

function latestOf(versions: readonly NumberedHead[]): NumberedHead | undefined {
  return versions.findLast(({ deleted_at }) => deleted_at === null);
}

function viewVersion(
  { val, ...head }: NumberedVersion,
  latest: NumberedHead | undefined,
  withAliases: boolean,
): JsonObject {
  const isLatest = head.digest === latest?.digest;
  return {
    ...head,
    is_latest: isLatest ? 1 : 0,
    ...(withAliases && { tags: [], aliases: isLatest ? ["latest"] : [] }),
    val,
  };
}

/** The version for a client that does not request values. */
function bare(head: NumberedHead): NumberedVersion {
  return { ...head, val: {} };
}

function isOp(val: Json): boolean {
  return (
    isJsonObject(val) &&
    val["_type"] === "CustomWeaveType" &&
    isJsonObject(val["weave_type"]) &&
    val["weave_type"]["type"] === "Op"
  );
}

const ROOT_CLASSES: readonly unknown[] = ["Object", "BaseObject"];

/** The class of a Weave object, and its ancestor right below the root class. */
function classesOf(val: Json): { base_object_class: string | null; leaf_object_class: string | null } {
  const none = { base_object_class: null, leaf_object_class: null };
  if (!isJsonObject(val) || !Array.isArray(val["_bases"]) || typeof val["_class_name"] !== "string")
    return none;
  const bases = val["_bases"] as readonly Json[];
  if (bases.at(-1) !== "BaseModel" || !ROOT_CLASSES.includes(bases.at(-2))) return none;
  const base = bases.length > 2 ? bases.at(-3) : val["_class_name"];
  return { base_object_class: typeof base === "string" ? base : null, leaf_object_class: val["_class_name"] };
}

/** `val` with the class that the request names, unless the value has its own. */
function withClasses(val: Json, name: string | null): Json {
  if (name === null || !isJsonObject(val) || Object.hasOwn(val, "_bases")) return val;
  return { _type: name, ...val, _class_name: name, _bases: ["BaseObject", "BaseModel"] };
}
