// The parts of a committed artifact that can change: its aliases, description and metadata. Its files never change.

import { bad, ok, type Result } from "@assay/base";
import { untilWritten } from "@assay/base/internal";
import { removeUnused, type TrackingServiceParts } from "../../ports/context.ts";
import { finiteObject, OBJECT_TEXT } from "../../run/finite-json.ts";
import { aliasIssues, isStep } from "./artifacts.ts";
import { bytesOf, type CollectedArtifact, withCollection } from "./collected-artifact.ts";

/** A change of an artifact's description; absent members stay unchanged. */
export interface ArtifactPatch {
  /** A description for people. */
  readonly description?: string | undefined;
  /** A JSON object as text. */
  readonly metadata?: string | undefined;
  /** Tags to add. */
  readonly tagsToAdd?: readonly string[] | undefined;
  /** Tags to remove. */
  readonly tagsToDelete?: readonly string[] | undefined;
}

const LONGEST_TEXT = 2 ** 20;
const MOST_TAGS = 100;

/**
 * Changes the description and metadata of an artifact. Undefined if it does not exist. Issues: `json`, `too_large`.
 */
export async function updateArtifact(
  tracking: TrackingServiceParts,
  artifactId: string,
  { description, metadata, tagsToAdd = [], tagsToDelete = [] }: ArtifactPatch,
): Promise<Result<CollectedArtifact> | undefined> {
  const object = metadata === undefined ? undefined : finiteObject(metadata);
  if (metadata !== undefined && object === undefined)
    return bad([{ code: "json", path: ["metadata"], message: `metadata must be ${OBJECT_TEXT}` }]);
  if (Math.max(description?.length ?? 0, metadata?.length ?? 0) > LONGEST_TEXT)
    return bad([
      {
        code: "too_large",
        path: [],
        message: `description and metadata may have at most ${LONGEST_TEXT} characters`,
      },
    ]);
  const done = await untilWritten(async () => {
    const found = await withCollection(tracking, artifactId);
    if (found === undefined) return "missing";
    const { artifact: before, collection } = found;
    const artifact = {
      ...before,
      updatedAt: tracking.now(),
      tags: [...new Set([...before.tags, ...tagsToAdd])]
        .filter((tag) => !tagsToDelete.includes(tag))
        .slice(0, MOST_TAGS),
      ...(description !== undefined && { description }),
      ...(object !== undefined && { metadata: object.text }),
    };
    const changed = { ...collection, version: collection.version + 1 };
    const written = await tracking.store.commitCollection({ collection: changed, artifacts: [artifact] });
    return written ? { artifact, collection: changed } : undefined;
  });
  return done === "missing" ? undefined : ok(done);
}

/**
 * Adds aliases to a committed artifact, or removes them. An alias of another artifact moves to this one; removing one
 * that it does not have changes nothing. Undefined if the artifact does not exist. Issues: `name`, `too_large`, `step`
 * (a checkpoint's own alias).
 */
export async function changeAliases(
  tracking: TrackingServiceParts,
  artifactId: string,
  { add = [], remove = [] }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): Promise<Result<CollectedArtifact> | undefined> {
  const issues = aliasIssues([...add, ...remove]);
  if (issues.length > 0) return bad(issues);
  const done = await untilWritten(async () => {
    const found = await withCollection(tracking, artifactId);
    if (found === undefined || found.artifact.state !== "COMMITTED") return "missing";
    const { collection } = found;
    const step = collection.model && [...add, ...remove].find(isStep);
    if (step !== undefined) {
      const message = `${step} is the name of a checkpoint, and cannot be set or removed`;
      return bad([{ code: "step", path: ["aliases"], message }]);
    }
    const own = new Set((await tracking.store.aliases(collection.id, artifactId)).map(({ alias }) => alias));
    const aliases = [
      ...add.map((alias) => ({ alias, artifactId })),
      ...remove.filter((alias) => own.has(alias)).map((alias) => ({ alias, artifactId: undefined })),
    ];
    const changed = { ...collection, version: collection.version + 1, updatedAt: tracking.now() };
    const written = await tracking.store.commitCollection({ collection: changed, aliases });
    return written ? ok({ artifact: found.artifact, collection: changed }) : undefined;
  });
  return done === "missing" ? undefined : done;
}

/**
 * Deletes an artifact. Undefined if it does not exist. Issues: `aliased` if it has aliases that may not be deleted
 * with it, `checkpoint` if it must be deleted as a checkpoint of its model.
 */
export async function deleteArtifact(
  tracking: TrackingServiceParts,
  artifactId: string,
  { withAliases }: { readonly withAliases: boolean },
): Promise<Result<CollectedArtifact> | undefined> {
  const done = await untilWritten(async () => {
    const found = await withCollection(tracking, artifactId);
    if (found === undefined) return "missing";
    const { artifact, collection } = found;
    if (artifact.step !== undefined) {
      const message = "this artifact is a checkpoint: delete it as a checkpoint of its model";
      return bad([{ code: "checkpoint", path: [], message }]);
    }
    const [alias] = await tracking.store.aliases(collection.id, artifactId);
    if (alias !== undefined && !withAliases) {
      const message = `the artifact has the alias ${alias.alias}: remove its aliases, or delete them with it`;
      return bad([{ code: "aliased", path: [], message }]);
    }
    const bytes = await bytesOf(tracking, artifactId);
    const changed = { ...collection, version: collection.version + 1, updatedAt: tracking.now() };
    const written = await tracking.store.commitCollection({ collection: changed, removed: [artifactId] });
    return written ? ok({ artifact, collection: changed, bytes }) : undefined;
  });
  if (done === "missing") return undefined;
  if (done.ok) await removeUnused(tracking, done.value.bytes);
  return done;
}
