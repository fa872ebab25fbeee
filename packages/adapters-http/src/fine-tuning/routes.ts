// What the handlers of the fine-tuning face are made of, and what all of them ask first.

import type { TrainingService } from "@assay/training-core";
import { readProject } from "../inference/project-header.ts";
import type { NumberRange } from "../number-range.ts";
import type { Asking, BodyRules } from "../training/asking.ts";

/** A project. */
export interface ProjectName {
  readonly entity: string;
  readonly project: string;
}

/** What OpenAI's clients page files by when they say nothing, and the most that they ask for. */
export const FILE_PAGE: NumberRange = { least: 1, most: 10_000, absent: 10_000, whole: true };

/** What handlers answer with. */
export interface Parts {
  readonly training: TrainingService;
  readonly defaultProject: ProjectName;
  /** How JSON bodies are read. */
  readonly bodies: BodyRules;
}

/** The project that a request names in its headers; "wrong" when that is none, or none of who asks. */
export function namedProject({ request, principal }: Asking): ProjectName | "wrong" | undefined {
  const named = readProject(request.headers);
  if (named === undefined || named === "wrong") return named;
  return principal.allows(named.entity, named.project) ? named : "wrong";
}

/** Where what a request makes goes: the project that it names, the one that its key is for, or the default one. */
export function projectFor(asking: Asking, defaultProject: ProjectName): ProjectName | "wrong" {
  const project = namedProject(asking) ?? asking.principal.home ?? defaultProject;
  return project !== "wrong" && asking.principal.allows(project.entity, project.project) ? project : "wrong";
}
