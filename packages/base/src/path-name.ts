// Valid names of an entity, a project and a trained model: they stand in the paths of URLs and in
// `entity/project/name:version`, so that none of the marks that divide those is in a name.

/** The most UTF-16 units of a name. */
export const PATH_NAME_LENGTH = 128;

/** The characters of a name, as a pattern of JSON Schema. Every reader of a URL takes `.` and `..` for steps between folders. */
export const PATH_NAME_PATTERN = "^(?!\\.{1,2}$)[^/\\\\#?%:\\u0000-\\u001f\\u007f-\\u009f]+$";

const FORBIDDEN = /[/\\#?%:\p{Cc}]/u;

/** What is wrong with a name: it is empty, too long, `.` or `..`, or has a character that no name may have. */
export type PathNameFault =
  | { readonly kind: "empty" | "long" | "dots" }
  | { readonly kind: "character"; readonly character: string };

/** What is wrong with a name; undefined when it is fine: 1 to 128 characters, no control character, none of `/ \ # ? % :`, not `.` or `..`. */
export function pathNameFault(name: string): PathNameFault | undefined {
  if (name === "") return { kind: "empty" };
  if (name.length > PATH_NAME_LENGTH) return { kind: "long" };
  if (name === "." || name === "..") return { kind: "dots" };
  const character = FORBIDDEN.exec(name)?.[0];
  return character === undefined ? undefined : { kind: "character", character };
}

/** Whether a name may stand in a path. */
export function isPathName(name: string): boolean {
  return pathNameFault(name) === undefined;
}
