// Finds an artifact by the name that a client uses.

import type { TrackingServiceParts } from "../../ports/context.ts";
import type { ProjectName } from "../../run/run.ts";
import { currentCollection } from "./checkpoints.ts";
import type { CollectedArtifact } from "./collected-artifact.ts";

/** The committed artifact that `name:alias` means; `v3` names a version, and `latest` is the default alias. */
export async function findArtifact(
  tracking: TrackingServiceParts,
  { entity, project }: ProjectName,
  text: string,
): Promise<CollectedArtifact | undefined> {
  const [name = "", alias = "latest"] = text.split(":", 2);
  const collection = await currentCollection(tracking, { entity, project, name });
  if (collection === undefined) return undefined;
  const index = /^v(\d{1,9})$/.exec(alias)?.[1];
  const artifact =
    index === undefined
      ? await tracking.store.aliased(collection.id, alias)
      : await tracking.store.artifactAt(collection.id, Number(index));
  return artifact && { artifact, collection };
}
