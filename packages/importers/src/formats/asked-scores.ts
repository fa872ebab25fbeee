// Numbers in addition to the scores of a log, which become scores only if the user names them.

import { type ImportOptions, isSelected } from "../options/import-options.ts";
import type { ImportEvent } from "../trials/imported-trial.ts";

/** Whether the user names this score. */
export function isAsked(name: string, options: ImportOptions): boolean {
  return options.scores !== undefined && isSelected([name], options);
}

/** A note about numbers that the user did not name, unless the user named other scores. `where`: what has them. */
export function* unaskedNote(
  where: string,
  names: ReadonlySet<string>,
  options: ImportOptions,
): Generator<ImportEvent> {
  if (names.size === 0 || options.scores !== undefined) return;
  const [first] = names;
  const note = `${where}: not read as scores: ${[...names].join(", ")}; --score ${first} makes it a score`;
  yield { kind: "note", note };
}
