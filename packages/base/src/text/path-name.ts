// Valid names of entities, projects and trained models: they are part of URL paths and of
// `entity/project/name:version`, so they contain no separators of these.

/** The most UTF-16 units of a name. */
export const PATH_NAME_LENGTH = 128;

/**
 * The allowed characters of a name, as a pattern for JSON Schema. URL parsers treat `.` and `..` as steps between
 * folders.
 */
export const PATH_NAME_PATTERN = "^(?!\\.{1,2}$)[^/\\\\#?%:\\u0000-\\u001f\\u007f-\\u009f]+$";

const FORBIDDEN = /[/\\#?%:\p{Cc}]/u;

/** Why a name is invalid: it is empty, too long, `.` or `..`, or contains a forbidden character. */
export type PathNameFault =
  | { readonly kind: "empty" | "long" | "dots" }
  | { readonly kind: "character"; readonly character: string };

/**
 * Why a name is invalid; undefined if it is valid: 1 to 128 characters, no control character, none of `/ \ # ? % :`,
 * not `.` or `..`.
 */
export function pathNameFault(name: string): PathNameFault | undefined {
  if (name === "") return { kind: "empty" };
  if (name.length > PATH_NAME_LENGTH) return { kind: "long" };
  if (name === "." || name === "..") return { kind: "dots" };
  const character = FORBIDDEN.exec(name)?.[0];
  return character === undefined ? undefined : { kind: "character", character };
}

/** Whether a name may be part of a path. */
export function isPathName(name: string): boolean {
  return pathNameFault(name) === undefined;
}
