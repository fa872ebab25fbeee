// Scalar values for clients.

import { createHash } from "node:crypto";
import type { ProjectName } from "@assay/tracking-core/internal";

/** A number for a project, which clients require but do not interpret. */
export function projectNumber({ entity, project }: ProjectName): number {
  return createHash("sha256")
    .update(JSON.stringify([entity, project]))
    .digest()
    .readUIntBE(0, 6);
}

/** A time in the format of clients. */
export function time(at: number): string {
  return new Date(at).toISOString();
}
