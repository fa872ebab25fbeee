// The project of a request, from its path: entity and project name.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { PATH_NAME_LENGTH, pathNameFault } from "@assay/base/internal";

/**
 * The project's ID, `entity/project`. Each name has 1 to 128 characters, none of them a control character or one of `/
 * \ # ? % :`, and is not `.` or `..`. Paths of issues start with `path`; codes: `too_short`, `too_long`,
 * `value_error`.
 */
export function readProjectPath(entity: string, project: string): Result<string> {
  const issues = [...nameIssues("entity", entity), ...nameIssues("project", project)];
  return issues.length === 0 ? ok(`${entity}/${project}`) : bad(issues);
}

function nameIssues(key: string, name: string): readonly Issue[] {
  const issue = (code: string, message: string): readonly Issue[] => [{ code, path: ["path", key], message }];
  switch (pathNameFault(name)?.kind) {
    case undefined:
      return [];
    case "empty":
      return issue("too_short", `${key} must not be empty`);
    case "long":
      return issue("too_long", `${key} must have at most ${PATH_NAME_LENGTH} characters`);
    case "dots":
      return issue("value_error", `${key} must not be ${name}`);
    case "character":
      return issue("value_error", `${key} must not contain control characters or any of / \\ # ? % :`);
  }
}
