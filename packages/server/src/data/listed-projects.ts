// Projects, each with an overview.

import type { ProjectList } from "@assay/adapters-http/internal";

/** A project with its evaluation count. */
export interface ListedProject {
  /** `entity/project`. */
  readonly project: string;
  /** The number of its evaluations. */
  readonly evaluations: number;
  /** When its newest evaluation started; null if unknown. */
  readonly last_started_at: string | null;
}

/** The projects of a store, by name. */
export async function listedProjects(list: ProjectList): Promise<readonly ListedProject[]> {
  const projects: ListedProject[] = [];
  for (const project of [...(await list.projects())].sort()) {
    const entries = await list.entries(project);
    const started = entries.flatMap(({ started_at }) => started_at ?? []);
    projects.push({ project, evaluations: entries.length, last_started_at: started.at(-1) ?? null });
  }
  return projects;
}
