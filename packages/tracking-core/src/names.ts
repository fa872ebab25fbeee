// Checks external names. Files are stored by digest, so a name never becomes a path here, but it does where a client
// downloads the file.

import type { Issue } from "@assay/base";
import { PATH_NAME_LENGTH, pathNameFault, shownName } from "@assay/base/internal";

const LONGEST_PATH = 1024;
const LONGEST_ALIAS = 128;
const FORBIDDEN = /[/\\#?%:\p{Cc}]/u;

/** Why the name of an entity, project, run, collection or type is invalid; undefined if it is valid. */
export function nameIssue(what: string, name: string): Issue | undefined {
  const wrong = (message: string): Issue => ({ code: "name", path: [what], message });
  switch (pathNameFault(name)?.kind) {
    case undefined:
      return undefined;
    case "empty":
      return wrong(`${what} must not be empty`);
    case "long":
      return wrong(`${what} must have at most ${PATH_NAME_LENGTH} characters`);
    case "dots":
      return wrong(`${what} must not be ${name}`);
    case "character":
      return wrong(`${what} ${shownName(name)} must not contain control characters or any of / \\ # ? % :`);
  }
}

/** Why the path of a file is invalid: it must be relative and must not leave its folder. */
export function pathIssue(path: string): Issue | undefined {
  const wrong = (message: string): Issue => ({ code: "name", path: ["file"], message });
  if (path === "" || path.length > LONGEST_PATH)
    return wrong(`a file name must have 1 to ${LONGEST_PATH} characters`);
  const parts = path.split(/[/\\]/);
  const leaves = parts.includes("..") || parts[0] === "" || /^[A-Za-z]:/.test(path);
  if (leaves || /\p{Cc}/u.test(path))
    return wrong(
      `the file name ${shownName(path)} must be relative, without .. and without control characters`,
    );
  return undefined;
}

/** Why an alias is invalid: `v3` is the name of a version. */
export function aliasIssue(alias: string): Issue | undefined {
  const wrong = (message: string): Issue => ({ code: "name", path: ["alias"], message });
  if (alias === "" || alias.length > LONGEST_ALIAS)
    return wrong(`an alias must have 1 to ${LONGEST_ALIAS} characters`);
  if (/^v\d+$/.test(alias)) return wrong(`${alias} is the name of a version and cannot be an alias`);
  if (FORBIDDEN.test(alias))
    return wrong(`the alias ${shownName(alias)} must not contain control characters or any of / \\ # ? % :`);
  return undefined;
}
