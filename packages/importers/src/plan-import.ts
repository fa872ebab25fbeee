// What an import would do, before it does it, and then what is written.

import { printFieldPath } from "@assay/query-lang/internal";
import { grouped } from "./grouped.ts";
import type { ImportFile } from "./import-file.ts";
import { type ImportTarget, importLines, type ProjectLines, projectOf } from "./import-lines.ts";
import {
  type ImportOptions,
  type PlannedEvaluation,
  type RefusedFiles,
  survey,
  type UnitEvaluation,
} from "./survey.ts";

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
  /** The paths of all scores in the files, those that were not asked for too. */
  readonly scoreNames: readonly string[];
  /** Scores that were asked for and that no trial has. */
  readonly missing: readonly string[];
  /** The two evaluations that share most rows, of those that are written to one project; undefined when none share any. */
  closest(target: ImportTarget): readonly [PlannedEvaluation, PlannedEvaluation] | undefined;
  /** What is written to each project, as it was read: the same content always as the same calls. */
  lines(target: ImportTarget): readonly ProjectLines[];
}

/** Reads files to their ends, and says what importing them would do. Writes nothing. */
export async function planImport(
  files: readonly ImportFile[],
  options: ImportOptions = {},
): Promise<ImportPlan> {
  const { units, lines, ...surveyed } = await survey(files, options);
  const found = units.flatMap(({ evaluations: of }) => of);
  const evaluations = found.map(({ planned }) => planned);
  return {
    ...surveyed,
    notes: [...surveyed.notes, ...withoutCommonRows(found)],
    evaluations,
    missing: missingIn(surveyed.scoreNames, options),
    closest: (target) => closestPair(found, target),
    lines: (target) => importLines(units, lines, target),
  };
}

/** Of more evaluations than these, the first are looked at: any two of them take a comparison of their rows. */
const COMPARED = 24;

function closestPair(
  evaluations: readonly UnitEvaluation[],
  target: ImportTarget,
): readonly [PlannedEvaluation, PlannedEvaluation] | undefined {
  const some = evaluations.slice(0, COMPARED);
  let [best, shared]: [readonly [PlannedEvaluation, PlannedEvaluation] | undefined, number] = [undefined, 0];
  for (const [i, a] of some.entries()) {
    for (const b of some.slice(i + 1)) {
      if (projectOf(a.planned.dataset, target) !== projectOf(b.planned.dataset, target)) continue;
      // As many rows as the smaller has are the most there can be.
      if (Math.min(a.rows.size, b.rows.size) <= shared) continue;
      const common = a.rows.common(b.rows);
      if (common > shared) [best, shared] = [[a.planned, b.planned], common];
    }
  }
  return best;
}

/** Runs over one dataset that have no row in common are nearly always told apart by the wrong field: a note says so. */
function withoutCommonRows(evaluations: readonly UnitEvaluation[]): readonly string[] {
  // The subject of a table is unknown; files of several models each have their own name.
  const groups = grouped(evaluations, ({ planned: { kind, dataset } }) =>
    kind === "table" ? kind : `${kind} ${dataset}`,
  );
  return [...groups.values()].flatMap((group) => {
    const lone = group.filter((one) => !group.some((other) => other !== one && one.rows.meets(other.rows)));
    if (group.length < 2 || lone.length === 0) return [];
    const names = lone.map(({ planned: { name, model } }) => [name, model].filter(Boolean).join(" · "));
    return [
      `no row in common with the others: ${names.join("; ")}; give the field that identifies rows with --row-key FIELD`,
    ];
  });
}

function missingIn(
  known: readonly string[],
  { scores = [], passes = [], types }: ImportOptions,
): readonly string[] {
  if (known.length === 0) return [];
  const isKnown = (name: string) =>
    known.some((path) => path === name || path === printFieldPath([name]) || path.startsWith(`${name}.`));
  return [...new Set([...scores, ...passes.map(({ score }) => score), ...(types?.keys() ?? [])])].filter(
    (name) => !isKnown(name),
  );
}
