// Projects with what is known of each at a glance.

import type { ProjectList } from "@assay/adapters-http/internal";

/** A project of the data. */
export interface ListedProject {
  /** `entity/project`. */
  readonly project: string;
  /** How many evaluations it has. */
  readonly evaluations: number;
  /** When the newest of them began; null when that is not known. */
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
