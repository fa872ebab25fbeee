import type { ProjectName } from "@assay/tracking-core/internal";

/** A project in a column: one text for two, whatever is in them. */
export function projectKey({ entity, project }: ProjectName): string {
  return JSON.stringify([entity, project]);
}
