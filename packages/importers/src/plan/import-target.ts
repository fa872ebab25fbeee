// Where an import is written.

import { checkMembers, isProjectName } from "@assay/base/internal";

/** Where to write an import. */
export interface ImportTarget {
  /** `<entity>/<project>`. */
  readonly project: string;
  /** Whether each dataset gets its own project, in the same entity. Default false. */
  readonly projectPerDataset?: boolean | undefined;
}

/** Throws a TypeError for a target without a project of the form `<entity>/<project>`. */
export function checkTarget(target: ImportTarget): void {
  checkMembers("target", target, { project: "text", projectPerDataset: "boolean?" });
  if (!isProjectName(target.project))
    throw new TypeError(`target: project must be "entity/project", not ${JSON.stringify(target.project)}`);
}

/** The project that an evaluation of a dataset is written to. */
export function projectOf(dataset: string, { project, projectPerDataset = false }: ImportTarget): string {
  return projectPerDataset ? `${project.slice(0, project.indexOf("/"))}/${nameInRef(dataset)}` : project;
}

/** A name in the form that a reference can hold. */
export function nameInRef(name: string): string {
  return (
    name
      .replace(/[^\p{L}\p{N}._-]+/gu, "-")
      .replace(/^[-.]+|(?<![-.])[-.]+$/g, "")
      .slice(0, 100) || "dataset"
  );
}
