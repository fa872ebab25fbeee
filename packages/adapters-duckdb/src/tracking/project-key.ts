import type { ProjectName } from "@assay/tracking-core/internal";

/** A project as the value of a column: both names in one text, unambiguously. */
export function projectKey({ entity, project }: ProjectName): string {
  return JSON.stringify([entity, project]);
}

/** The beginning of the keys of an entity's projects. */
export function projectsKey(entity: string): string {
  return `[${JSON.stringify(entity)},`;
}

/** The name of the project with this key. */
export function projectIn(key: string): string {
  return (JSON.parse(key) as [entity: string, project: string])[1];
}
