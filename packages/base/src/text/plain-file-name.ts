// Checks file names: only names that stay in their folder become part of a path.

import { Fault } from "../errors/fault.ts";

/**
 * `name`, if it consists of ASCII letters, digits, `.`, `_` and `-`, and does not start with one of these signs.
 * Throws a `corrupt` fault otherwise.
 */
export function plainFileName(name: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(name)) return name;
  throw new Fault("corrupt", "a file does not have a plain name");
}
