// Names of the JSON subcolumns that hold the values at paths. A path is external input; its name has only letters,
// digits and underscores, and is the only part of a path that becomes an identifier.

import { createHash } from "node:crypto";

// Longer names are hashed. Such long paths are rare, and people never read these names.
const LONGEST = 120;

/** The name of the subcolumn for the value at `path`, unique to the path. */
export function fieldKey(path: readonly string[]): string {
  const name = `k${path.map(segmentName).join("_Z")}`;
  if (name.length <= LONGEST) return path.length === 0 ? "root" : name;
  return `h${createHash("sha256").update(JSON.stringify(path)).digest("hex")}`;
}

/** Letters and digits unchanged, the UTF-8 bytes of everything else as `_` and two hexadecimal digits. */
function segmentName(segment: string): string {
  return segment.replace(/[^A-Za-z0-9]/gu, (character) =>
    // A lone surrogate has no UTF-8 bytes: its name is its number.
    character.length === 1 && /\p{Cs}/u.test(character)
      ? `_U${character.charCodeAt(0).toString(16)}`
      : [...Buffer.from(character)].map((byte) => `_${byte.toString(16).padStart(2, "0")}`).join(""),
  );
}
