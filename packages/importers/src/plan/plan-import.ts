// Plans an import: shows its result before anything is written, then provides the data to write.

import { shellWord } from "@assay/base/internal";
import { printFieldPath } from "@assay/query-lang/internal";
import { groupBy } from "../collections/group-by.ts";
import type { RefusedFiles } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import type { ImportOptions } from "../options/import-options.ts";
import { roleOf } from "../tables/columns/column-roles.ts";
import type { UnitEvaluation } from "../trials/evaluation-tally.ts";
import type { PlannedEvaluation } from "../trials/planned-evaluation.ts";
import { checkImport } from "./detect-format.ts";
import { importLines, type ProjectLines } from "./import-lines.ts";
import { checkTarget, type ImportTarget, projectOf } from "./import-target.ts";
import { scan } from "./scan.ts";

/** The result that an import would have. */
export interface ImportPlan {
  /** The evaluations to write. */
  readonly evaluations: readonly PlannedEvaluation[];
  /** Files of Weave calls, which stores accept unchanged. */
  readonly calls: readonly ImportFile[];
  /** Files that are broken or of an unknown format. */
  readonly refused: readonly RefusedFiles[];
  /** How columns were understood, and what was skipped. */
  readonly notes: readonly string[];
  /** The paths of all scores in the files, including unselected ones. */
  readonly scoreNames: readonly string[];
  /** Selected scores that no trial has. */
  readonly missing: readonly string[];
  /** The two evaluations written to the same project that share most rows; undefined if none share any. */
  closest(target: ImportTarget): readonly [PlannedEvaluation, PlannedEvaluation] | undefined;
  /**
   * The data to write to each project. The same content always gives the same calls. Throws a TypeError for a project
   * that is not `<entity>/<project>`.
   */
  lines(target: ImportTarget): readonly ProjectLines[];
}

/**
 * Reads files to the end and returns what importing them would do. Writes nothing. Throws a TypeError for an unknown
 * option or format, and for a value that is not an `ImportFile`.
 */
export async function planImport(
  files: readonly ImportFile[],
  options: ImportOptions = {},
): Promise<ImportPlan> {
  checkImport(files, options);
  const { units, spool, ...scanned } = await scan(files, options);
  const found = units.flatMap(({ evaluations: of }) => of);
  const evaluations = found.map(({ planned }) => planned);
  return {
    ...scanned,
    notes: [
      ...scanned.notes,
      ...withoutCommonRows(found),
      ...withoutCommonScores(found),
      ...onOtherScales(evaluations),
    ],
    evaluations,
    missing: missingIn(scanned.scoreNames, options),
    closest(target) {
      checkTarget(target);
      return closestPair(found, target);
    },
    lines(target) {
      checkTarget(target);
      return importLines(units, spool, target);
    },
  };
}

/** How many evaluations are compared, from the first: each pair requires a comparison of rows. */
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
      // They can share at most as many rows as the smaller has.
      if (Math.min(a.rows.size, b.rows.size) <= shared) continue;
      const common = a.rows.countCommon(b.rows);
      if (common > shared) [best, shared] = [[a.planned, b.planned], common];
    }
  }
  return best;
}

/** With how many evaluations each is compared. */
const MET = 100;

/** A note if runs over one dataset share no rows: almost always, the wrong field identifies the rows. */
function withoutCommonRows(evaluations: readonly UnitEvaluation[]): readonly string[] {
  return overOneDataset(evaluations).flatMap((group) => {
    const some = group.slice(0, MET);
    const lone = group.filter(
      (one) => !some.some((other) => other !== one && one.rows.countCommon(other.rows, 1) > 0),
    );
    if (group.length < 2 || lone.length === 0) return [];
    const shown = lone
      .slice(0, NAMED)
      .map(({ planned: { name, model } }) => [...new Set([name, model])].filter(Boolean).join(" · "));
    const fields = lone[0]!.rowFields.filter((name) =>
      group.every(({ rowFields }) => rowFields.includes(name)),
    );
    const [own, others] = [lone[0]!, group.find((one) => !isSame(one.rowFields, lone[0]!.rowFields))];
    const names = [
      ...shown,
      ...(lone.length > NAMED ? [`and ${(lone.length - NAMED).toLocaleString("en-US")} more`] : []),
    ];
    const way = fields.length === 0 ? otherwiseNamed(own, others) : sameNamed(fields);
    return [`no row in common with the others: ${names.join("; ")}; ${way}`];
  });
}

/** Groups evaluations by dataset. That of a table is unknown; files of several models each have their own name. */
function overOneDataset(evaluations: readonly UnitEvaluation[]): readonly (readonly UnitEvaluation[])[] {
  const groups = groupBy(evaluations, ({ planned: { kind, dataset } }) =>
    kind === "table" ? kind : `${kind} ${dataset}`,
  );
  return [...groups.values()];
}

/** How to match the rows of evaluations in which these fields identify them. */
function sameNamed(fields: readonly string[]): string {
  const field = fields.find((name) => roleOf(name)?.role !== "id") ?? fields[0]!;
  return fields.length === 1
    ? `they have no value of ${field} in common; if another field is the same in all, --row-key FIELD matches them`
    : `${fields.join(" and ")} identify them together; if one of them is the same in all, it matches them, such as --row-key ${shellWord(field)}`;
}

/** How to match the rows of evaluations whose fields do not have the same names. */
function otherwiseNamed(own: UnitEvaluation, other: UnitEvaluation | undefined): string {
  if (other === undefined || own.rowFields.length === 0 || other.rowFields.length === 0)
    return "give the field that identifies rows with --row-key FIELD";
  const [a, b] = [own, other].map(({ rowFields, planned }) => `${rowFields.join(", ")} in ${planned.name}`);
  return `rows are identified by ${a}, but by ${b}: give these columns the same names`;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.join("\n") === b.join("\n");
}

/** A note for the first two evaluations over one dataset that have scores, but none of the same name. */
function withoutCommonScores(evaluations: readonly UnitEvaluation[]): readonly string[] {
  const groups = overOneDataset(evaluations.filter(({ planned }) => planned.scores.length > 0));
  const pairs = groups.flatMap(([first, ...others]) => {
    const names = new Set(first!.planned.scores.map(({ path }) => path));
    const other = others.find(({ planned }) => !planned.scores.some(({ path }) => names.has(path)));
    return other === undefined ? [] : [[first!, other]];
  });
  return pairs.slice(0, 1).map((pair) => {
    const told = pair.map(({ planned: { name, scores } }) => {
      const paths = scores.slice(0, NAMED).map(({ path }) => path);
      return `${name} has ${paths.join(", ")}`;
    });
    return `no score in common: ${told.join("; ")}; scores are compared by name, so give the same ones the same name`;
  });
}

/** How many scores or evaluations are named. */
const NAMED = 6;

/** By how many times means differ that are hardly on one scale. */
const RATIO = 20;

/** A note for each score whose mean is a share in some evaluations and much more in others: 0.85 and 85. */
function onOtherScales(evaluations: readonly PlannedEvaluation[]): readonly string[] {
  const means = evaluations.flatMap(({ name, scores }) =>
    scores.flatMap(({ path, type, mean = 0 }) =>
      type === "number" && mean > 0 ? [{ name, path, mean }] : [],
    ),
  );
  return [...groupBy(means, ({ path }) => path)].flatMap(([path, of]) => {
    const [least, most] = [
      of.reduce((a, b) => (b.mean < a.mean ? b : a)),
      of.reduce((a, b) => (b.mean > a.mean ? b : a)),
    ];
    if (least.mean > 1 || most.mean <= 1 || most.mean / least.mean < RATIO) return [];
    const [low, high] = [least, most].map(({ name, mean }) => `${Number(mean.toPrecision(4))} in ${name}`);
    return [`${path}: its mean is ${low} and ${high}; bring both to one scale if they are not on one`];
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
