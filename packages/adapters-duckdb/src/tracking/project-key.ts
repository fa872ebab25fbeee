import type { ProjectName } from "@assay/tracking-core/internal";

/** A project as the value of a column: both names in one text, unambiguously. */
export function projectKey({ entity, project }: ProjectName): string {
  return JSON.stringify([entity, project]);
}
