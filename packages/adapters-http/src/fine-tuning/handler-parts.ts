// Shared parts of the fine-tuning handlers.

import type { TrainingService } from "@assay/training-core";
import { readProject } from "../inference/project-header.ts";
import type { NumberRange } from "../request/number-range.ts";
import type { AuthenticatedRequest, BodyRules } from "../training/request/authorize.ts";

/** A project. */
export interface ProjectName {
  readonly entity: string;
  readonly project: string;
}

/** The default page size of OpenAI's clients, and the largest that they request. */
export const FILE_PAGE: NumberRange = { least: 1, most: 10_000, absent: 10_000, whole: true };

/** The dependencies of handlers. */
export interface Parts {
  readonly training: TrainingService;
  readonly defaultProject: ProjectName;
  /** How to read JSON bodies. */
  readonly bodies: BodyRules;
}

/** The project in the headers of a request; "wrong" if it is invalid or not visible to the caller. */
export function namedProject({
  request,
  principal,
}: AuthenticatedRequest): ProjectName | "wrong" | undefined {
  const named = readProject(request.headers);
  if (named === undefined || named === "wrong") return named;
  return principal.allows(named.entity, named.project) ? named : "wrong";
}

/** The project for new objects: the one that the request names, the only one of its key, or the default. */
export function projectFor(
  incoming: AuthenticatedRequest,
  defaultProject: ProjectName,
): ProjectName | "wrong" {
  const project = namedProject(incoming) ?? incoming.principal.home ?? defaultProject;
  return project !== "wrong" && incoming.principal.allows(project.entity, project.project)
    ? project
    : "wrong";
}
