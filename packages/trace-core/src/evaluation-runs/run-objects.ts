// Datasets, scorers, models and evaluations by name: versions of objects, like those that Weave's clients publish.

import { bad, type Json, type JsonObject, ok, type Result, type Steps } from "@assay/base";
import { isJsonObject } from "@assay/base/internal";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { fileDigest } from "../objects/digests.ts";
import { type EvaluationObject, viewEvaluation } from "../objects/evaluation-objects.ts";
import { findVersion, queryObjects, readObjectCreate } from "../objects/objects.ts";
import { createTable, readTableCreate } from "../objects/tables.ts";
import type { ObjectVersion } from "../ports/object-store.ts";
import type { ReadContext } from "../ports/read-context.ts";
import type { NewDataset, NewEvaluation, NewModel, NewScorer } from "./bodies.ts";
import { notFoundIssue, type RunLogging } from "./logging.ts";

// Exists in every engine, but in no type library of the core.
declare class TextDecoder {
  decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string;
}

/** The kinds of objects that are stored by name. */
export type RunObjectKind = "dataset" | "scorer" | "model" | "evaluation";

const CLASSES: { readonly [kind in RunObjectKind]: string } = {
  dataset: "Dataset",
  scorer: "Scorer",
  model: "Model",
  evaluation: "Evaluation",
};

/** The name that Weave clients give the single file of an op or a model. */
const SOURCE_FILE = "obj.py";
/** Members of a model object that are not the model's own attributes. */
const OWN = new Set(["_type", "_class_name", "_bases", "name", "description", "files"]);

/** Creates a dataset with its table of rows. `run` runs the steps. */
export async function createDataset(
  logging: RunLogging,
  { name, description, rows }: NewDataset,
  run: <T>(steps: Steps<T>) => Promise<T> | T,
): Promise<Result<JsonObject>> {
  const { stores, project } = logging;
  const table = await run(readTableCreate({ table: { project_id: project, rows } }));
  if (!table.ok)
    return bad(table.issues.map((issue) => ({ ...issue, path: ["body", ...issue.path.slice(2)] })));
  await createTable(stores.tables, table.value);
  const ref = `weave:///${project}/table/${table.value.digest}`;
  return create(logging, "dataset", name ?? "Dataset", { description: description ?? null, rows: ref });
}

/** The suffix of the name of a scorer's op. If the name gets longer than 512 characters, the scorer's part is cut. */
const OP_SUFFIX = "_score";

/** Creates a scorer, with its source code as an op. */
export async function createScorer(
  logging: RunLogging,
  { name, description, op_source_code: source }: NewScorer,
): Promise<Result<JsonObject>> {
  const id = objectId(name);
  if (!id.ok) return id;
  const score = await createOp(logging, `${id.value.slice(0, 512 - OP_SUFFIX.length)}${OP_SUFFIX}`, source);
  return create(logging, "scorer", name, {
    description: description ?? null,
    score,
    summarize: null,
    column_map: null,
  });
}

/** Creates a model, with its source code as a file. */
export async function createModel(
  logging: RunLogging,
  { name, description, source_code: source, attributes }: NewModel,
): Promise<Result<JsonObject>> {
  const given = Object.entries((attributes ?? {}) as JsonObject).filter(([key]) => !OWN.has(key));
  const files = { [SOURCE_FILE]: await keepFile(logging, source) };
  const own = { description: description ?? null, files };
  return create(logging, "model", name, { ...Object.fromEntries(given), ...own });
}

/** Creates an evaluation. */
export async function createEvaluation(
  logging: RunLogging,
  given: NewEvaluation,
): Promise<Result<JsonObject>> {
  const { name, description, dataset, scorers, trials = 1, evaluation_name, eval_attributes } = given;
  return create(logging, "evaluation", name, {
    ...((eval_attributes ?? {}) as JsonObject),
    description: description ?? null,
    dataset,
    scorers: scorers ?? [],
    trials,
    evaluation_name: evaluation_name ?? null,
  });
}

/** Stores a version, unless it exists. Returns its names. */
async function create(
  { stores, project, now }: RunLogging,
  kind: RunObjectKind,
  name: string,
  more: JsonObject,
): Promise<Result<JsonObject>> {
  const id = objectId(name);
  if (!id.ok) return id;
  const object_id = id.value;
  const type = CLASSES[kind];
  const val = { _type: type, _class_name: type, _bases: ["Object", "BaseModel"], ...more, name };
  const version = readObjectCreate({ obj: { project_id: project, object_id, val } }, now());
  if (!version.ok) return version;
  await stores.objects.put(version.value);
  const { digest } = version.value;
  const kept = await findVersion(stores.objects, project, object_id, digest, "object");
  const ref = `weave:///${project}/object/${object_id}:${digest}`;
  return ok({ digest, object_id, version_index: kept?.version_index ?? 0, ...refMember(kind, ref) });
}

function refMember(kind: RunObjectKind, ref: string): JsonObject {
  switch (kind) {
    case "scorer":
      return { scorer: ref };
    case "model":
      return { model_ref: ref };
    case "evaluation":
      return { evaluation_ref: ref };
    case "dataset":
      return {};
  }
}

/**
 * The object ID for a name: lower case, with `_` for spaces and slashes, and without other punctuation than `.` and
 * `-`.
 */
function objectId(name: string): Result<string> {
  const id = name
    .replaceAll(/[ /]/g, "_")
    .replaceAll(/[^\p{L}\p{N}_.-]/gu, "")
    .toLowerCase();
  if (id !== "") return ok(id);
  return bad([
    { code: "value_error", path: ["body", "name"], message: "the name needs a letter or a digit" },
  ]);
}

async function createOp({ stores, project, now }: RunLogging, name: string, source: string): Promise<string> {
  const digest = await keepFile({ stores, project }, source);
  const weave_type = { type: "Op" };
  const val = { _type: "CustomWeaveType", weave_type, files: { [SOURCE_FILE]: digest } };
  const version = readObjectCreate({ obj: { project_id: project, object_id: name, val } }, now());
  if (!version.ok) throw new Error("an op always has one version");
  await stores.objects.put(version.value);
  return `weave:///${project}/op/${name}:${version.value.digest}`;
}

async function keepFile(
  { stores, project }: Pick<RunLogging, "stores" | "project">,
  text: string,
): Promise<string> {
  const bytes = utf8ToBytes(text);
  const digest = fileDigest(bytes);
  await stores.files.put(project, digest, [bytes]);
  return digest;
}

/** One version, by its digest, `latest` or `v<index>`. The issue `not_found` if it does not exist or was deleted. */
export async function readRunObject(
  logging: Pick<RunLogging, "stores" | "project">,
  kind: RunObjectKind,
  object: string,
  digest: string,
): Promise<Result<JsonObject>> {
  const { stores, project } = logging;
  const found = await findVersion(stores.objects, project, object, digest, "object");
  if (found === undefined || found.deleted_at !== null || !isOf(kind, found))
    return notFoundIssue(kind, `${object}:${digest}`);
  return ok(await viewObject(logging, kind, found as unknown as JsonObject));
}

function isOf(kind: RunObjectKind, { base_object_class, val }: ObjectVersion): boolean {
  const type = isJsonObject(val) ? val["_type"] : undefined;
  return base_object_class === CLASSES[kind] || type === CLASSES[kind];
}

/** The versions of a kind, by object ID and then in order of creation, in batches. */
export async function* queryRunObjects(
  logging: Pick<RunLogging, "stores" | "project">,
  kind: RunObjectKind,
  reading: ReadContext = {},
): AsyncGenerator<readonly JsonObject[]> {
  const { stores, project } = logging;
  const filter = { base_object_classes: [CLASSES[kind]], is_op: false };
  const found = await queryObjects(stores.objects, { project_id: project, filter }, reading);
  for (const version of found) yield [await viewObject(logging, kind, version)];
}

async function viewObject(
  logging: Pick<RunLogging, "stores" | "project">,
  kind: RunObjectKind,
  version: JsonObject,
): Promise<JsonObject> {
  const val = isJsonObject(version["val"]) ? version["val"] : {};
  const text = (key: string) => (typeof val[key] === "string" ? val[key] : undefined);
  const named = {
    object_id: version["object_id"]!,
    digest: version["digest"]!,
    version_index: version["version_index"]!,
    created_at: version["created_at"]!,
    name: text("name") ?? version["object_id"]!,
    description: text("description") ?? null,
  };
  switch (kind) {
    case "dataset":
      return { ...named, rows: text("rows") ?? "" };
    case "scorer":
      return { ...named, score_op: text("score") ?? "" };
    case "evaluation":
      return { ...(viewEvaluation(version) satisfies EvaluationObject) };
    case "model": {
      const attributes = Object.fromEntries(Object.entries(val).filter(([key]) => !OWN.has(key)));
      return { ...named, source_code: await sourceOf(logging, val), attributes: attributes as Json };
    }
  }
}

async function sourceOf(
  { stores, project }: Pick<RunLogging, "stores" | "project">,
  val: JsonObject,
): Promise<string> {
  const digest = isJsonObject(val["files"]) ? val["files"][SOURCE_FILE] : undefined;
  const pieces = typeof digest === "string" ? await stores.files.get(project, digest) : undefined;
  const decoder = new TextDecoder();
  return (pieces ?? []).map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
}
