// What arktype found wrong, as issues.

import type { Issue } from "@assay/base";
import type { ArkErrors } from "arktype";

/** The most issues that one answer lists: a client that got a thousand rows wrong learns it from the first. */
export const MOST_ISSUES = 20;

/** The first issues of `errors`: `missing` for a property that is not there, `type` for everything else. */
export function issuesOf(errors: ArkErrors, at: Issue["path"] = []): readonly Issue[] {
  return [...errors].slice(0, MOST_ISSUES).map((error) => ({
    code: error.code === "required" ? "missing" : "type",
    path: [...at, ...error.path.map((key) => (typeof key === "number" ? key : String(key)))],
    message: error.code === "required" ? "field required" : error.problem,
  }));
}
