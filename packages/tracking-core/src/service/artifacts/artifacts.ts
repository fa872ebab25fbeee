// Logs artifacts: an artifact is created, its files and manifest are uploaded, and it is committed once all bytes are
// stored. Until then it cannot be found by name, so that no one sees an incomplete artifact.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { shownName, untilWritten } from "@assay/base/internal";
import type {
  Artifact,
  ArtifactEntry,
  Collection,
  CollectionName,
  ProjectBlob,
} from "../../artifact/artifact.ts";
import { readManifest } from "../../artifact/manifest.ts";
import { md5Checked } from "../../artifact/md5.ts";
import { aliasIssue, nameIssue } from "../../names.ts";
import { removeUnused, type TrackingServiceParts } from "../../ports/context.ts";
import { finiteObject, OBJECT_TEXT } from "../../run/finite-json.ts";
import type { ProjectName } from "../../run/run.ts";
import { importedStep } from "./checkpoints.ts";
import { type CollectedArtifact, withCollection } from "./collected-artifact.ts";

/** A request for a new version of a collection. */
export interface ArtifactInput {
  /** The collection, created if it does not exist. */
  readonly collection: CollectionName;
  /** The type of the collection. */
  readonly type: string;
  /** MD5 of the manifest's content, hexadecimal. */
  readonly digest: string;
  /** The aliases it gets. */
  readonly aliases: readonly string[];
  /** The tags it gets. Default: none. */
  readonly tags?: readonly string[] | undefined;
  /** A description for people. */
  readonly description?: string | undefined;
  /** A JSON object as text. */
  readonly metadata?: string | undefined;
  /** The run that logs it. */
  readonly createdBy?: string | undefined;
  /** The last step of that run's history. */
  readonly historyStep?: number | undefined;
  /** Whether to return the existing version with the same digest, if there is one. */
  readonly deduplicate: boolean;
}

const MOST_ALIASES = 100;
const LONGEST_TEXT = 2 ** 20;
/** The size of a manifest with `MOST_ENTRIES`. */
const LONGEST_MANIFEST = 64 * 2 ** 20;
/** The number of blobs looked up together. */
const AT_ONCE = 1000;

/**
 * Starts a version, or finds the committed one with the same digest, which then gets the aliases immediately. Issues:
 * `name`, `type` (the name belongs to artifacts of another type), `json`, `too_large`.
 */
export async function createArtifact(
  tracking: TrackingServiceParts,
  input: ArtifactInput,
): Promise<Result<Artifact>> {
  const issues = inputIssues(input);
  if (issues.length > 0) return bad(issues);
  const { store, now, newId } = tracking;
  const { entity, project, name } = input.collection;
  return untilWritten(async () => {
    const at = now();
    const before = await store.collection(input.collection);
    if (before !== undefined && before.type !== input.type) {
      const message = `${shownName(name)} has artifacts of type ${before.type}, and cannot have one of type ${shownName(input.type)}`;
      return bad([{ code: "type", path: ["artifactTypeName"], message }]);
    }
    const collection: Collection = before ?? {
      id: newId(),
      version: 0,
      entity,
      project,
      name,
      type: input.type,
      nextIndex: 0,
      createdAt: at,
      updatedAt: at,
    };
    const same = input.deduplicate ? await store.artifactWithDigest(collection.id, input.digest) : undefined;
    const artifact = same ?? pending(input, { id: newId(), collectionId: collection.id, at });
    const written = await store.commitCollection({
      collection: { ...collection, version: collection.version + 1, updatedAt: at },
      ...(same === undefined
        ? { artifacts: [artifact] }
        : { aliases: aliasesFor(collection, input.aliases, same) }),
    });
    return written ? ok(artifact) : undefined;
  });
}

function pending(
  { digest, aliases, tags = [], description, metadata, createdBy, historyStep }: ArtifactInput,
  { id, collectionId, at }: { readonly id: string; readonly collectionId: string; readonly at: number },
): Artifact {
  const object = metadata === undefined ? undefined : finiteObject(metadata);
  return {
    id,
    collectionId,
    state: "PENDING",
    digest,
    tags: [...new Set(tags)],
    wantedAliases: [...new Set(aliases)],
    size: 0,
    fileCount: 0,
    createdAt: at,
    updatedAt: at,
    ...(description !== undefined && { description }),
    ...(object !== undefined && { metadata: object.text }),
    ...(createdBy !== undefined && { createdBy }),
    ...(historyStep !== undefined && { historyStep }),
  };
}

function inputIssues({
  collection,
  type,
  digest,
  aliases,
  description,
  metadata,
}: ArtifactInput): readonly Issue[] {
  const { entity, project, name } = collection;
  const issues = [
    nameIssue("entity", entity),
    nameIssue("project", project),
    nameIssue("artifact name", name),
    nameIssue("artifact type", type),
    ...aliasIssues(aliases),
    textIssue("description", description),
    metadataIssue(metadata),
  ].filter((issue) => issue !== undefined);
  if (!/^[0-9a-f]{32}$/.test(digest))
    issues.push({ code: "type", path: ["digest"], message: "the digest must be an MD5 in hexadecimal" });
  return issues;
}

/** Why these aliases are invalid. */
export function aliasIssues(aliases: readonly string[]): readonly Issue[] {
  if (aliases.length > MOST_ALIASES)
    return [{ code: "too_large", path: ["aliases"], message: `at most ${MOST_ALIASES} aliases per request` }];
  return aliases.map(aliasIssue).filter((issue) => issue !== undefined);
}

function textIssue(field: string, text: string | undefined): Issue | undefined {
  if (text === undefined || text.length <= LONGEST_TEXT) return undefined;
  return {
    code: "too_large",
    path: [field],
    message: `${field} may have at most ${LONGEST_TEXT} characters`,
  };
}

function metadataIssue(metadata: string | undefined): Issue | undefined {
  if (metadata === undefined || (metadata.length <= LONGEST_TEXT && finiteObject(metadata) !== undefined))
    return textIssue("metadata", metadata);
  return { code: "json", path: ["metadata"], message: `metadata must be ${OBJECT_TEXT}` };
}

/** Aliases for an artifact, without reserved ones: the steps of a model's collection belong to its checkpoints. */
function aliasesFor(collection: Collection, aliases: readonly string[], { id }: Pick<Artifact, "id">) {
  const free = collection.model === undefined ? aliases : aliases.filter((alias) => !isStep(alias));
  return free.map((alias) => ({ alias, artifactId: id }));
}

/** Whether an alias is the name of a checkpoint. */
export function isStep(alias: string): boolean {
  return /^step\d+$/.test(alias);
}

/**
 * Stores bytes that a project may then use in its artifacts. The issue `digest_mismatch` if their MD5 is not `md5`
 * (hexadecimal).
 */
export async function saveBlob(
  tracking: TrackingServiceParts,
  project: ProjectName,
  md5: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Result<ProjectBlob>> {
  const kept = await md5Checked(tracking.artifacts, bytes, md5);
  if (!kept.ok) return kept;
  const blob = { ...kept.value, createdAt: tracking.now() };
  await tracking.store.addBlob(project, blob);
  return ok(blob);
}

/**
 * Stores the manifest of a pending artifact. Undefined if there is no such artifact; the issue `digest_mismatch` as
 * for blobs.
 */
export async function saveManifest(
  tracking: TrackingServiceParts,
  artifactId: string,
  md5: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Result<Artifact> | undefined> {
  const kept = await md5Checked(tracking.artifacts, bytes, md5);
  if (!kept.ok) return kept;
  const manifest = kept.value;
  const saved = await untilWritten(async () => {
    const found = await withCollection(tracking, artifactId);
    if (found === undefined) return "missing";
    const { artifact, collection } = found;
    // Uploading a committed manifest again changes nothing.
    if (artifact.state === "COMMITTED") return artifact;
    const changed = { ...artifact, manifest, updatedAt: tracking.now() };
    const written = await tracking.store.commitCollection({
      collection: { ...collection, version: collection.version + 1 },
      artifacts: [changed],
    });
    return written ? changed : undefined;
  });
  if (saved !== "missing") return ok(saved);
  await removeUnused(tracking, [manifest.sha256]);
  return undefined;
}

/**
 * Commits an artifact: it gets its version and its aliases in one write. Committing it again changes nothing. Undefined
 * if it does not exist. Issues: `manifest` (it has none yet), those of `readManifest`, `missing_files`, `size`, and
 * those of importing a checkpoint.
 */
export async function commitArtifact(
  tracking: TrackingServiceParts,
  artifactId: string,
): Promise<Result<CollectedArtifact> | undefined> {
  const first = await withCollection(tracking, artifactId);
  if (first === undefined) return undefined;
  if (first.artifact.state === "COMMITTED") return ok(first);
  const entries = await listedEntries(tracking, first);
  if (!entries.ok) return entries;
  const imported = await importedStep(tracking, first, entries.value);
  if (!imported.ok) return imported;
  const checkpoint = imported.value;
  const done = await untilWritten(async () => {
    const found = await withCollection(tracking, artifactId);
    if (found === undefined) return "missing";
    if (found.artifact.state === "COMMITTED") return found;
    const at = tracking.now();
    const { collection: before, artifact: begun } = found;
    const versionIndex = Math.max(before.nextIndex, checkpoint?.step ?? 0);
    const collection: Collection = {
      ...before,
      ...(checkpoint !== undefined && { model: { id: checkpoint.modelId, version: 0 } }),
      version: before.version + 1,
      nextIndex: versionIndex + 1,
      updatedAt: at,
    };
    const artifact: Artifact = {
      ...begun,
      state: "COMMITTED",
      versionIndex,
      size: entries.value.reduce((sum, { size }) => sum + size, 0),
      fileCount: entries.value.length,
      updatedAt: at,
      ...(checkpoint !== undefined && { step: checkpoint.step }),
    };
    const wanted = checkpoint === undefined ? begun.wantedAliases : [...begun.wantedAliases, "latest"];
    const aliases = aliasesFor(collection, [...new Set(wanted)], artifact);
    if (checkpoint !== undefined) aliases.push({ alias: `step${checkpoint.step}`, artifactId });
    const written = await tracking.store.commitCollection({
      collection,
      artifacts: [artifact],
      entries: [{ artifactId, entries: entries.value }],
      aliases,
    });
    return written ? { artifact, collection } : undefined;
  });
  return done === "missing" ? undefined : ok(done);
}

/** The entries of an artifact's manifest with the location of their bytes, all of which must be stored. */
async function listedEntries(
  { store, artifacts }: TrackingServiceParts,
  { artifact, collection }: CollectedArtifact,
): Promise<Result<readonly ArtifactEntry[]>> {
  const { manifest } = artifact;
  if (manifest === undefined)
    return bad([{ code: "manifest", path: [], message: "the manifest of the artifact was not uploaded" }]);
  if (manifest.size > LONGEST_MANIFEST)
    return bad([
      { code: "too_large", path: [], message: `a manifest may have at most ${LONGEST_MANIFEST} bytes` },
    ]);
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for await (const piece of artifacts.read(manifest.sha256))
    parts.push(decoder.decode(piece, { stream: true }));
  const read = readManifest(parts.join("") + decoder.decode());
  if (!read.ok) return read;
  const blobs = new Map<string, ProjectBlob>();
  const md5s = [...new Set(read.value.filter(({ ref }) => ref === undefined).map(({ digest }) => digest))];
  for (let i = 0; i < md5s.length; i += AT_ONCE) {
    for (const blob of await store.blobs(collection, md5s.slice(i, i + AT_ONCE))) blobs.set(blob.md5, blob);
  }
  const missing = read.value.filter(({ ref, digest }) => ref === undefined && !blobs.has(digest));
  if (missing.length > 0) {
    const more = missing.length === 1 ? "" : ` and ${missing.length - 1} more`;
    const message = `the bytes of ${shownName(missing[0]!.path)}${more} were not uploaded`;
    return bad([{ code: "missing_files", path: [], message }]);
  }
  const entries: ArtifactEntry[] = [];
  for (const entry of read.value) {
    const blob = entry.ref === undefined ? blobs.get(entry.digest)! : undefined;
    if (blob !== undefined && blob.size !== entry.size) {
      const message = `${shownName(entry.path)} has ${blob.size} bytes, not ${entry.size}`;
      return bad([{ code: "size", path: [], message }]);
    }
    entries.push(blob === undefined ? entry : { ...entry, sha256: blob.sha256 });
  }
  return ok(entries);
}
