// The options of an import.

import type { Members } from "@assay/base/internal";
import { printFieldPath } from "@assay/query-lang/internal";
import type { PassRule } from "../scores/pass-rule.ts";
import type { ScoreType } from "../scores/score-type.ts";
import type { Scratch } from "../spool/spool.ts";

/** Options for reading, in addition to the files. */
export interface ReadOptions {
  /** The column with the evaluation of each record. */
  readonly evaluation?: string | undefined;
  /** The column or field that identifies rows. */
  readonly rowKey?: string | undefined;
  /** The columns or scorers to read as scores; others are not. */
  readonly scores?: readonly string[] | undefined;
  /** The column with the answer. */
  readonly output?: string | undefined;
}

/** Options for an import. */
export interface ImportOptions extends ReadOptions {
  /** The format of all files, by name. Default: detected for each file. */
  readonly from?: string | undefined;
  /** When numeric or text scores pass. */
  readonly passes?: readonly PassRule[] | undefined;
  /** Called for each trial found, to show progress. */
  readonly onTrial?: (() => void) | undefined;
  /** Types of scores, by path or first name, instead of detecting them. */
  readonly types?: ReadonlyMap<string, ScoreType> | undefined;
  /** Where to spool trials that do not fit in memory, until they are written. Default: in memory. */
  readonly scratch?: Scratch | undefined;
}

/** The kinds of the options. */
export const IMPORT_OPTIONS: Members<ImportOptions> = {
  ...{ evaluation: "text?", rowKey: "text?", scores: "list?", output: "text?", from: "text?" },
  ...{ passes: "list?", onTrial: "function?", types: "map?", scratch: "object?" },
};

/** Whether the options select a score, by its first name or its path. */
export function isSelected(keys: readonly string[], { scores }: ReadOptions): boolean {
  return scores === undefined || scores.includes(keys[0]!) || scores.includes(printFieldPath(keys));
}
