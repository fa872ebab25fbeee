// The project that a request is attributed to, from its headers.

import { isPathName } from "@assay/base/internal";
import type { Project } from "@assay/inference-core/internal";

/** Clients send the second one if their `project` option is set. */
const HEADERS = ["compat-project", "openai-project"] as const;

/** The message for headers for which `readProject` returns "wrong". */
export const WRONG_PROJECT =
  "the header OpenAI-Project, which clients also set from OPENAI_PROJECT_ID, or Compat-Project must be one team/project";

/**
 * The project in the headers, as `team/project`; undefined if there is none, and "wrong" if it is invalid or the
 * headers disagree.
 */
export function readProject(headers: Headers): Project | "wrong" | undefined {
  const given = HEADERS.map((name) => headers.get(name)).filter((value) => value !== null);
  const [text] = given;
  if (text === undefined) return undefined;
  const [entity = "", project = "", ...more] = text.split("/");
  const fine = isPathName(entity) && isPathName(project) && more.length === 0;
  return fine && given.every((other) => other === text) ? { entity, project } : "wrong";
}
