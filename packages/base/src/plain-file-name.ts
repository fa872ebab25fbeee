// Names of files that stay in their folder: only these become part of a path.

import { Fault } from "./fault.ts";

/** `name`, of ASCII letters, digits, `.`, `_` and `-`, and begun by neither of the last two nor a dot. Throws a `corrupt` fault for any other. */
export function plainFileName(name: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(name)) return name;
  throw new Fault("corrupt", "a file does not have a plain name");
}
