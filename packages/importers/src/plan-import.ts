// What an import would do, before it does it, and then the doing: the two readings in one.

import { printFieldPath } from "@assay/query-lang";
import { type ImportBatch, type ImportTarget, importBatches } from "./import-batches.ts";
import type { ImportFile } from "./import-file.ts";
import { type ImportOptions, type PlannedEvaluation, type RefusedFiles, survey } from "./survey.ts";

/** What an import would do. */
export interface ImportPlan {
  /** The evaluations that it would write. */
  readonly evaluations: readonly PlannedEvaluation[];
  /** Files of Weave calls, which stores take as they are. */
  readonly calls: readonly ImportFile[];
  /** Files that are broken, or of no kind that is known. */
  readonly refused: readonly RefusedFiles[];
  /** How columns were understood, and what was passed over. */
  readonly notes: readonly string[];
  /** Scores that were asked for and that no trial has. */
  readonly missing: readonly string[];
  /**
   * What is written, evaluation by evaluation as the files have them; the same content always as the same calls. Throws
   * a `conflict` fault when a file is no longer what it was when the plan was made; its evaluations then have no root
   * call, and are not listed.
   */
  batches(target: ImportTarget): AsyncGenerator<ImportBatch>;
}

/** Reads files to their ends, and says what importing them would do. Writes nothing. */
export async function planImport(
  files: readonly ImportFile[],
  options: ImportOptions = {},
): Promise<ImportPlan> {
  const { units, ...surveyed } = await survey(files, options);
  const evaluations = units.flatMap((unit) =>
    Array.from(unit.evaluations.values(), ({ planned }) => planned),
  );
  return {
    ...surveyed,
    evaluations,
    missing: missingIn(evaluations, options),
    batches: (target) => importBatches(units, target),
  };
}

function missingIn(evaluations: readonly PlannedEvaluation[], options: ImportOptions): readonly string[] {
  if (evaluations.length === 0) return [];
  const known = [...new Set(evaluations.flatMap(({ scores }) => scores.map(({ path }) => path)))];
  const isKnown = (name: string) =>
    known.some((path) => path === name || path === printFieldPath([name]) || path.startsWith(`${name}.`));
  const asked = [...(options.scores ?? []), ...(options.passes ?? []).map(({ score }) => score)];
  return [...new Set(asked)].filter((name) => !isKnown(name));
}
