// A text with marked changes: by underlining and strikethrough in addition to colour.

import type { JSX } from "preact";
import type { DiffPart } from "../format/diff/word-diff.ts";
import { shown } from "../format/shown.ts";

/** The text of one side: the common parts, and the parts only this side has. Both sides if `side` is undefined. */
export function DiffText({
  parts,
  side,
}: {
  readonly parts: readonly DiffPart[];
  readonly side?: "removed" | "added";
}): JSX.Element | null {
  return (
    <>
      {parts.map(({ kind, text }) => {
        if (kind === "same") return shown(text);
        if (side !== undefined && kind !== side) return null;
        return kind === "added" ? <ins>{shown(text)}</ins> : <del>{shown(text)}</del>;
      })}
    </>
  );
}
