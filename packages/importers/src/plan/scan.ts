// Reads the files of an import completely: only then are the meaning of score values, the rows, and the completeness of
// the files known. Trials are spooled until then.

import { groupBy } from "../collections/group-by.ts";
import type { RefusedFiles } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import type { ImportOptions } from "../options/import-options.ts";
import { type FoundReading, readingNotes } from "../scores/reading-notes.ts";
import {
  addCounts,
  noCounts,
  readingOf,
  type ScoreReading,
  type ValueCounts,
} from "../scores/score-values.ts";
import { Spool, type SpoolStream } from "../spool/spool.ts";
import { isVerdict } from "../tables/columns/column-roles.ts";
import type { UnitEvaluation } from "../trials/evaluation-tally.ts";
import type { UnitRows } from "../trials/unit-rows.ts";
import { sortByFormat } from "./detect-format.ts";
import { UnitTally } from "./unit-tally.ts";

/** Files that are read together, and their content. */
export interface ImportUnit {
  readonly files: readonly ImportFile[];
  readonly options: ImportOptions;
  readonly evaluations: readonly UnitEvaluation[];
  /** How to read each score, by path. */
  readonly readings: ReadonlyMap<string, ScoreReading>;
  /** Its rows with different keys or content, and the JSON of each. */
  readonly rows: UnitRows;
  readonly rowTexts: SpoolStream;
}

/** The content of files. */
export interface ScanResult {
  /** In the order of their first files. */
  readonly units: readonly ImportUnit[];
  readonly spool: Spool;
  /** Files of calls, which are accepted unchanged. */
  readonly calls: readonly ImportFile[];
  readonly refused: readonly RefusedFiles[];
  readonly notes: readonly string[];
  /** The paths of all scores. */
  readonly scoreNames: readonly string[];
}

/** Reads files to the end. */
export async function scan(files: readonly ImportFile[], options: ImportOptions): Promise<ScanResult> {
  const { inOrder, byFormat, calls, refused, sheets } = await sortByFormat(files, options);
  const spool = new Spool(options.scratch);
  const units: ImportUnit[] = [];
  const ofUnits: [paths: string, notes: readonly string[]][] = [];
  const formatNotes: string[] = [];
  const scoreNames = new Set<string>();
  for (const [importer, group] of byFormat) {
    const tallies: UnitTally[] = [];
    for (const together of (await importer.units?.(group)) ?? group.map((file) => [file])) {
      const tally = new UnitTally(importer, together, options, spool);
      const failed = await tally.read();
      if (failed === undefined) tallies.push(tally);
      else refused.push(failed);
    }
    const counts = totalCounts(tallies);
    const shared = new Map<string, FoundReading>();
    for (const tally of tallies) {
      const own = new Map<string, FoundReading>();
      const found = scoreReadings(tally, counts, options);
      for (const [path, one] of found) (one.context.texts === "cells" ? own : shared).set(path, one);
      ofUnits.push([pathsOf(tally), [...tally.notes, ...readingNotes(pathsOf(tally), own)]]);
      const readings = new Map(Array.from(found, ([path, { reading }]) => [path, reading]));
      units.push(finishedUnit(tally, options, readings));
      for (const name of tally.scoreNames) scoreNames.add(name);
    }
    formatNotes.push(...readingNotes(importer.name, shared));
  }
  const place = new Map(inOrder.map((file, i) => [file, i]));
  const first = (unit: ImportUnit): number => Math.min(...unit.files.map((file) => place.get(file)!));
  const distinct = withoutDuplicates(units.sort((a, b) => first(a) - first(b)));
  // If one sheet of a workbook has results, the others summarise or describe it.
  const read = new Set(units.flatMap(({ files: of }) => of.map(({ path }) => sheets.get(path))));
  const isBeside = ({ paths }: RefusedFiles): boolean =>
    paths.every((path) => sheets.has(path) && read.has(sheets.get(path)));
  return {
    units: distinct.units,
    spool,
    calls,
    refused: refused.filter((one) => !isBeside(one)),
    notes: [
      ...notesOfUnits(ofUnits),
      ...formatNotes,
      ...distinct.notes,
      ...refused.filter(isBeside).map(({ paths, reason }) => `${paths.join(", ")}: left out: ${reason}`),
    ],
    scoreNames: [...scoreNames],
  };
}

/** From how many units notes alike are one note, and how many of them it names. */
const [ALIKE, NAMED] = [3, 2] as const;

/** The notes on units; many that differ only in the paths that they begin with are one. */
function notesOfUnits(
  units: readonly (readonly [paths: string, notes: readonly string[]])[],
): readonly string[] {
  const all = units.flatMap(([paths, notes]) =>
    notes.map((note) => ({
      paths,
      note,
      text: note.startsWith(`${paths}: `) ? note.slice(paths.length) : note,
    })),
  );
  return [...groupBy(all, ({ text }) => text)].flatMap(([text, group]) => {
    if (group.length < ALIKE || group[0]!.note === text) return group.map(({ note }) => note);
    const named = group.slice(0, NAMED).map(({ paths }) => paths);
    return `${named.join(", ")} and ${(group.length - NAMED).toLocaleString("en-US")} more${text}`;
  });
}

/** The values of each score in all of these units. */
function totalCounts(tallies: readonly UnitTally[]): ReadonlyMap<string, ValueCounts> {
  const totals = new Map<string, ValueCounts>();
  for (const { scores } of tallies)
    for (const [path, { counts }] of scores)
      totals.set(path, addCounts(totals.get(path) ?? noCounts(), counts));
  return totals;
}

/** How to read each score of a unit, and why. `formatCounts` are those of all units in its format. */
function scoreReadings(
  { scores, decimalComma: isStated }: UnitTally,
  formatCounts: ReadonlyMap<string, ValueCounts>,
  { types }: ImportOptions,
): ReadonlyMap<string, FoundReading> {
  const decimalComma = isStated || [...scores.values()].some(({ counts: { commas } }) => commas > 0);
  return new Map(
    Array.from(scores, ([path, { keys, texts, counts: own }]) => {
      // Words mean the same in all runs of a scorer; each table decides for itself what its cells are.
      const counts = texts === "cells" ? own : formatCounts.get(path)!;
      const type = types?.get(path) ?? types?.get(keys[0]!);
      const context = { texts, isVerdict: isVerdict(keys.at(-1)!), decimalComma, type };
      return [path, { counts, context, reading: readingOf(counts, context) }];
    }),
  );
}

function finishedUnit(
  tally: UnitTally,
  options: ImportOptions,
  readings: ReadonlyMap<string, ScoreReading>,
): ImportUnit {
  const { importer, files, rows, rowTexts } = tally;
  const evaluations = [...tally.evaluations.values()]
    .filter(({ trials }) => trials > 0)
    .map((one, place) => one.finish(importer.name, place, readings));
  rows.finish();
  return { files, options, evaluations, readings, rows, rowTexts };
}

/** Removes evaluations of files that were passed twice or copied, with a note on each. */
function withoutDuplicates(units: readonly ImportUnit[]): Pick<ScanResult, "units" | "notes"> {
  const seen = new Set<string>();
  const notes: string[] = [];
  const distinct = units.map((unit) => {
    const again = unit.evaluations.filter(({ planned }) => seen.has(planned.id));
    for (const { planned } of unit.evaluations) seen.add(planned.id);
    if (again.length === 0) return unit;
    const names = again.map(({ planned }) => planned.name).join(", ");
    notes.push(`${pathsOf(unit)}: ${names} repeated with the same content; imported once`);
    return { ...unit, evaluations: unit.evaluations.filter((one) => !again.includes(one)) };
  });
  return { units: distinct, notes };
}

function pathsOf({ files }: { readonly files: readonly ImportFile[] }): string {
  return files.map(({ path }) => path).join(", ");
}
