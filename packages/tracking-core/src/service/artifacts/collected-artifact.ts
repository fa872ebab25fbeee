// An artifact with its collection, which determines the owner, and with its bytes.

import type { Artifact, Collection } from "../../artifact/artifact.ts";
import type { TrackingServiceParts } from "../../ports/context.ts";

/** An artifact with its collection. */
export interface CollectedArtifact {
  /** The artifact. */
  readonly artifact: Artifact;
  /** Its collection. */
  readonly collection: Collection;
}

/** The artifact with this ID, and its collection. */
export async function withCollection(
  { store }: Pick<TrackingServiceParts, "store">,
  artifactId: string,
): Promise<CollectedArtifact | undefined> {
  const artifact = await store.artifact(artifactId);
  const collection = artifact && (await store.collectionWithId(artifact.collectionId));
  return artifact !== undefined && collection !== undefined ? { artifact, collection } : undefined;
}

const PAGE = 1000;

/** The names of the bytes of an artifact: those of its manifest and its files. */
export async function bytesOf(
  { store }: TrackingServiceParts,
  artifactId: string,
): Promise<readonly string[]> {
  const { manifest } = (await store.artifact(artifactId)) ?? {};
  const names = manifest === undefined ? [] : [manifest.sha256];
  for (let after: string | undefined; ; ) {
    const page = await store.entries(artifactId, { ...(after !== undefined && { after }), limit: PAGE });
    for (const { sha256 } of page) if (sha256 !== undefined) names.push(sha256);
    if (page.length < PAGE) return names;
    after = page.at(-1)!.path;
  }
}
