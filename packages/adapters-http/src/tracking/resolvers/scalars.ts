import { createHash } from "node:crypto";
import type { ProjectName } from "@assay/tracking-core/internal";

/** A number for a project, which clients require but do not interpret. */
export function projectNumber({ entity, project }: ProjectName): number {
  return createHash("sha256")
    .update(JSON.stringify([entity, project]))
    .digest()
    .readUIntBE(0, 6);
}
