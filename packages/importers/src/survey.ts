// Reads the files of an import and finds out their kinds, and what is only known at their end: what a score's values
// are, which rows exist, and whether the files are complete. Trials are spooled until then.

import { type GrowableArray, growableIndexes } from "@assay/base/internal";
import { canonicalJson, DIGEST_LENGTH, textDigest } from "@assay/calls/internal";
import { printFieldPath } from "@assay/query-lang/internal";
import { addExactly, meanOf, newTotal, type Total } from "@assay/statistics/exact";
import { Dictionary } from "./digest-table.ts";
import { type FileHead, fileHead } from "./file-head.ts";
import { grouped } from "./grouped.ts";
import type { ImportFile } from "./import-file.ts";
import type {
  ImportEvent,
  ImportedEvaluation,
  Importer,
  ReadOptions,
  SaidDirections,
  ScoreTexts,
  TrialSource,
} from "./importer.ts";
import { IMPORTERS, recognised, refuseDatabase } from "./importers.ts";
import { type JsonObject, wayOut } from "./json-text.ts";
import { isMeasuredTable, table, tableFault } from "./kinds/table.ts";
import { type PassRule, passName } from "./pass-rule.ts";
import { type FoundReading, readingNotes } from "./reading-notes.ts";
import type { ScoreType } from "./score-type.ts";
import {
  addWords,
  meaningsOf,
  noWords,
  readingOf,
  type ScoreMeanings,
  type ScoreReading,
  type ScoreWords,
  scoreLeaves,
} from "./score-values.ts";
import { type Scratch, Spool, type SpoolStream } from "./spool.ts";
import { spoolRow, spoolTrial } from "./spooled-trials.ts";
import { isVerdict } from "./tables/column-roles.ts";
import { TrialObject } from "./trial-object.ts";
import { PLACE, TrialText } from "./trial-text.ts";
import { UnitRows } from "./unit-rows.ts";
import { unpackedFiles } from "./unpacked-files.ts";
import { NotExported, NotInFile, Unreadable, Unrecognised } from "./unreadable.ts";

/** Options for an import. */
export interface ImportOptions extends ReadOptions {
  /** The kind of all files, by name. Default: detected for each file. */
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

/** A score of an evaluation. */
export interface PlannedScore {
  /** Its path, as in queries after `scores.`. */
  readonly path: string;
  /** The type of its values; `mixed` for several types. */
  readonly type: "boolean" | "number" | "text" | "mixed";
  /** The number of trials that have it. */
  readonly trials: number;
  /** The mean over the trials that have it, counting true as 1; undefined for texts. */
  readonly mean: number | undefined;
  /** The rule by which a trial passes; undefined if not given. */
  readonly passes: string | undefined;
  /** Which of its values are better; undefined if the file does not say. */
  readonly direction: "higher" | "lower" | undefined;
}

/** An evaluation to write. */
export interface PlannedEvaluation {
  /** The id of its root call. The same content gives the same id. */
  readonly id: string;
  /** A part of the ids of all imports of this run, whatever they contain: after two characters, before a `-`. */
  readonly run: string;
  /** The kind of its file, as in `--from`. */
  readonly kind: string;
  /** A readable name. */
  readonly name: string;
  /** The model, if the file names it. */
  readonly model: string | undefined;
  /** The name of the dataset, or a substitute. */
  readonly dataset: string;
  /** ISO 8601, if in the file. */
  readonly startedAt: string | undefined;
  /** The number of rows with a trial. */
  readonly rows: number;
  /** The number of trials. */
  readonly trials: number;
  /** Trials that ended with an error. */
  readonly errors: number;
  /** Trials without any score. */
  readonly unscored: number;
  /** Its scores, in file order. */
  readonly scores: readonly PlannedScore[];
  /** What was left out, and how often. */
  readonly leftOut: readonly { readonly what: string; readonly count: number }[];
}

/** Files that were refused, and why. */
export interface RefusedFiles {
  /** The files, which must be read together. */
  readonly paths: readonly string[];
  /** What is wrong with them, as a sentence for the user. */
  readonly reason: string;
  /**
   * `unknown`: the kind is unknown, and it may not be a log at all. `broken`: the kind is known, but the file is
   * incomplete or damaged. `asked`: the file is complete, but lacks a requested column or field, or does not show which
   * column to use for something required. `database`: a tool keeps its runs in it, and has to export them first.
   */
  readonly why: "unknown" | "broken" | "asked" | "database";
}

/** Files read together, and what was found in them. */
export interface ImportUnit {
  readonly importer: Importer;
  readonly files: readonly ImportFile[];
  readonly options: ImportOptions;
  readonly evaluations: readonly UnitEvaluation[];
  /** How to read each score, by path. */
  readonly readings: ReadonlyMap<string, ScoreReading>;
  /** Its rows with different keys or content, and the JSON of each. */
  readonly rows: UnitRows;
  readonly rowTexts: SpoolStream;
}

/** An evaluation with what is written of it. */
export interface UnitEvaluation {
  readonly told: ImportedEvaluation;
  readonly planned: PlannedEvaluation;
  /** The digest of its rows, independent of order. */
  readonly version: string;
  /** Its rows by digest, and the number of each among those of its files. */
  readonly rows: Dictionary;
  readonly unitRows: Int32Array;
  /** Its trials (`SpooledTrials`). */
  readonly trials: SpoolStream;
}

/** The result of a survey. */
export interface Surveyed {
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
export async function survey(files: readonly ImportFile[], options: ImportOptions): Promise<Surveyed> {
  const { kinds, calls, refused } = await sorted(files, options);
  const spool = new Spool(options.scratch);
  const read: {
    readonly importer: Importer;
    readonly files: readonly ImportFile[];
    readonly tally: UnitTally;
  }[] = [];
  for (const [importer, ofKind] of kinds) {
    for (const together of (await importer.units?.(ofKind)) ?? ofKind.map((file) => [file])) {
      const tally = new UnitTally(options, spool);
      const refusal = await tally.read(importer, together);
      if (refusal === undefined) read.push({ importer, files: together, tally });
      else refused.push({ paths: together.map(({ path }) => path), ...refusal });
    }
  }
  // Words mean the same in all runs of a scorer; each table decides for itself what its cells are.
  const wordsOfKinds = new Map(
    Array.from(
      grouped(read, ({ importer }) => importer.name),
      ([kind, of]) => [kind, wordsOf(of.map(({ tally }) => tally))],
    ),
  );
  const kindReadings = new Map<string, Map<string, FoundReading>>();
  const units = read.map(({ importer, files: together, tally }): ImportUnit => {
    const found = scoreReadings(tally, wordsOfKinds.get(importer.name)!, options);
    const readings = new Map(Array.from(found, ([path, { reading: how }]) => [path, how]));
    const [own, shared] = [new Map<string, FoundReading>(), kindReadings.get(importer.name) ?? new Map()];
    for (const [path, one] of found) (one.context.texts === "cells" ? own : shared).set(path, one);
    kindReadings.set(importer.name, shared);
    tally.notes.push(...readingNotes(together.map(({ path }) => path).join(", "), own));
    const { rows, rowTexts } = tally;
    const evaluations = tally.finished(importer, readings);
    return { importer, files: together, options, readings, rows, rowTexts, evaluations };
  });
  const { once, notes } = eachOnce(units);
  const scoreNames = [...new Set(read.flatMap(({ tally }) => [...tally.scoreNames]))];
  return {
    units: once,
    spool,
    calls,
    refused,
    notes: [
      ...read.flatMap(({ tally }) => tally.notes),
      ...[...kindReadings].flatMap(([kind, readings]) => readingNotes(kind, readings)),
      ...notes,
    ],
    scoreNames,
  };
}

/** How to read each score of a unit, and why. */
function scoreReadings(
  tally: UnitTally,
  ofKind: ReadonlyMap<string, ScoreWords>,
  { types }: ImportOptions,
): ReadonlyMap<string, FoundReading> {
  const decimalComma = tally.decimalComma || [...tally.words.values()].some(({ commas }) => commas > 0);
  return new Map(
    Array.from(tally.words, ([path, own]) => {
      const { texts, keys } = tally.score(path);
      const words = texts === "cells" ? own : ofKind.get(path)!;
      const type = types?.get(path) ?? types?.get(keys[0]!);
      const context = { texts, isVerdict: isVerdict(keys.at(-1)!), decimalComma, type };
      return [path, { words, context, reading: readingOf(words, context) }];
    }),
  );
}

/** Removes evaluations of files that were given twice or copied. */
function eachOnce(units: readonly ImportUnit[]): {
  readonly once: readonly ImportUnit[];
  readonly notes: readonly string[];
} {
  const seen = new Set<string>();
  const notes: string[] = [];
  const once = units.map((unit) => {
    const again = unit.evaluations.filter(({ planned }) => seen.has(planned.id));
    for (const { planned } of unit.evaluations) seen.add(planned.id);
    if (again.length === 0) return unit;
    const paths = unit.files.map(({ path }) => path).join(", ");
    const names = again.map(({ planned }) => planned.name).join(", ");
    notes.push(`${paths}: ${names} again, with the same content; imported once`);
    return { ...unit, evaluations: unit.evaluations.filter((one) => !again.includes(one)) };
  });
  return { once, notes };
}

/** Sorts the files by kind. */
async function sorted(
  files: readonly ImportFile[],
  options: ImportOptions,
): Promise<{
  readonly kinds: ReadonlyMap<Importer, readonly ImportFile[]>;
  readonly calls: readonly ImportFile[];
  readonly refused: RefusedFiles[];
}> {
  const kinds = new Map<Importer, ImportFile[]>();
  const calls: ImportFile[] = [];
  const refused: RefusedFiles[] = [];
  const { from } = options;
  const told = IMPORTERS.find(({ name }) => name === from);
  const sort = async (file: ImportFile, given: ImportFile): Promise<void> => {
    const head = await fileHead(file);
    refuseDatabase(head);
    const kind = told ?? (from === "weave" ? "weave" : await kindOf(file, head, options));
    const isPacked = file !== given;
    if (kind === "weave" && isPacked)
      refused.push({ paths: [file.path], reason: PACKED_CALLS, why: "asked" });
    else if (kind === "weave") calls.push(file);
    else if (typeof kind === "string") refused.push({ paths: [file.path], reason: kind, why: "unknown" });
    else kinds.set(kind, [...(kinds.get(kind) ?? []), file]);
  };
  for (const given of files) {
    try {
      for (const file of await unpackedFiles(given)) await sort(file, given);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      refused.push({ paths: [given.path], ...refusalOf(error) });
    }
  }
  return { kinds, calls, refused };
}

type Refusal = Pick<RefusedFiles, "reason" | "why">;

function refusalOf(error: Unreadable): Refusal {
  const { message: reason } = error;
  if (error instanceof NotExported) return { reason, why: "database" };
  if (error instanceof Unrecognised) return { reason, why: "unknown" };
  return { reason, why: error instanceof NotInFile ? "asked" : "broken" };
}

const UNKNOWN = "unknown format; assay import --help lists the formats";
const PACKED_CALLS = "an archive with calls of Weave; unpack it, and import its files";
/** The formats in which tables can be, from any tool. */
const TABULAR: ReadonlySet<string> = new Set(["table", "json-lines", "json", "parquet"]);

/** The kind of a file, or why it has none. */
async function kindOf(file: ImportFile, head: FileHead, options: ImportOptions): Promise<Importer | string> {
  const kind = recognised(head);
  if (kind !== undefined) return kind;
  if (file.size === 0) return "empty file";
  if (head.format === "zip" && head.keys.has("[Content_Types].xml"))
    return "a spreadsheet workbook; save its sheet as CSV in UTF-8";
  // Naming columns implies a table.
  const { evaluation, rowKey, output, scores } = options;
  const isSaid = [evaluation, rowKey, output, scores?.[0]].some((name) => name !== undefined);
  if (isSaid && TABULAR.has(head.format)) return table;
  if (await isMeasuredTable(file, head)) return table;
  const way = head.format === "json" ? wayOut(head.text) : "";
  return (await tableFault(file, head)) ?? (way === "" ? UNKNOWN : `not JSON${way}`);
}

function wordsOf(tallies: readonly UnitTally[]): ReadonlyMap<string, ScoreWords> {
  const words = new Map<string, ScoreWords>();
  for (const tally of tallies) {
    for (const [path, seen] of tally.words) words.set(path, addWords(words.get(path) ?? noWords(), seen));
  }
  return words;
}

interface ScoreTally {
  readonly keys: readonly string[];
  /** The number of values that are present. */
  values: number;
  /** Totals of values by their type in the file. */
  readonly own: { readonly boolean: Total; readonly number: Total; readonly string: Total };
  /** Totals of values when read as each type. */
  readonly read: { readonly boolean: Total; readonly number: Total; readonly comma: Total };
  readonly passes: Map<PassRule, { readonly [Of in PassMeaning]: PassCount }>;
}

/** A rule for passing applies to a number, which a text can express in two ways, or to a text. */
type PassMeaning = "number" | "comma" | "text";

interface PassCount {
  known: number;
  passed: number;
}

interface EvaluationTally {
  told: ImportedEvaluation | undefined;
  directions: SaidDirections | undefined;
  trials: number;
  errors: number;
  unscored: number;
  /** The digest of all trials so far. */
  readonly chain: Uint8Array;
  /** Its rows by digest; for each, the first with it among those of its files, and the number of its trials. */
  readonly rows: Dictionary;
  readonly first: GrowableArray<Int32Array>;
  readonly counts: GrowableArray<Int32Array>;
  readonly version: Uint8Array;
  readonly spooled: SpoolStream;
  /** Scores seen so far, by their JSON: most occur many times. */
  readonly seenTexts: Dictionary;
  seen: SeenScores[];
  /** Places in `seen`, by `TrialSource.sameScores`; -1 if not seen. */
  readonly seenAt: GrowableArray<Int32Array>;
  readonly scores: Map<string, ScoreTally>;
  readonly leftOut: Map<string, number>;
}

/** The scores of a trial, and how many later trials have the same. */
interface SeenScores {
  readonly scores: JsonObject;
  again: number;
}

/** How many different scores to remember, and the maximum length of their JSON. */
const [SEEN, LONGEST_SEEN] = [65_536, 512] as const;

/** The counts of files that are read together. */
class UnitTally {
  readonly words: Map<string, ScoreWords> = new Map();
  /** The paths of all scores, including those not asked for. */
  readonly scoreNames: Set<string> = new Set();
  readonly notes: string[] = [];
  private readonly options: ImportOptions;
  private readonly spool: Spool;
  /** All rows, and their numbers by key and content. */
  readonly rows: UnitRows = new UnitRows();
  readonly rowTexts: SpoolStream;
  private readonly ordinals: Dictionary = new Dictionary();
  /** The current trial, the one before it, and its row. */
  private text = new TrialText();
  private before = new TrialText();
  private row: number = -1;
  /** The number of remembered scores, over all evaluations. */
  private seen = 0;
  private readonly evaluations: Map<string, EvaluationTally> = new Map();
  private readonly scores: Map<string, { readonly texts: ScoreTexts; readonly keys: readonly string[] }> =
    new Map();
  /** Whether a file states that its numbers have decimal commas. */
  decimalComma = false;

  constructor(options: ImportOptions, spool: Spool) {
    this.options = options;
    this.spool = spool;
    this.rowTexts = spool.stream();
  }

  /** Reads the files. Returns a refusal if they cannot be read. */
  async read(importer: Importer, files: readonly ImportFile[]): Promise<Refusal | undefined> {
    try {
      for await (const event of importer.read(files, this.options)) {
        this.take(event);
        const full = this.spool.settle();
        if (full !== undefined) await full;
      }
      for (const [id, tally] of this.evaluations) {
        if (tally.told === undefined)
          throw new Unreadable(`trials of an evaluation ${id} that it does not describe`);
        for (const { scores, again } of tally.seen) if (again > 0) this.takeScores(tally, scores, again);
        tally.seen = [];
      }
      return undefined;
    } catch (error) {
      if (error instanceof Unreadable) return refusalOf(error);
      throw error;
    }
  }

  /** How to read texts among the scores at `path`, and the keys to them. */
  score(path: string): { readonly texts: ScoreTexts; readonly keys: readonly string[] } {
    return this.scores.get(path)!;
  }

  /** The evaluations that have trials. */
  finished(importer: Importer, readings: ReadonlyMap<string, ScoreReading>): readonly UnitEvaluation[] {
    const found = [...this.evaluations.values()].filter(({ trials }) => trials > 0);
    return found.map((tally, place) => finishedEvaluation(importer.name, { tally, place, readings }));
  }

  private take(event: ImportEvent): void {
    if (event.kind === "note") this.notes.push(event.note);
    else if (event.kind === "evaluation") {
      const tally = this.tallyOf(event.evaluation.id);
      tally.told = event.evaluation;
      tally.directions = event.directions;
      this.decimalComma ||= event.evaluation.decimalComma === true;
    } else if (event.kind === "texts") for (const trial of event.trials) this.takeTrial(trial);
    else for (const trial of event.trials) this.takeTrial(new TrialObject(trial));
  }

  private takeTrial(trial: TrialSource): void {
    const tally = this.tallyOf(trial.evaluation);
    tally.trials++;
    this.options.onTrial?.();
    if (trial.error !== undefined) tally.errors++;
    const [text, before] = [this.before, this.text];
    [this.text, this.before] = [text, before];
    text.begin(tally.chain);
    trial.write(text, before);
    text.end(tally.chain, tally.trials === 1);
    if (this.row === -1 || !trial.isSameRow(text, before)) this.row = this.rowOf(trial, text);
    const row = this.takeRow(tally, this.row);
    const times = tally.counts.array[row]!++;
    const scores = this.takeScoresAgain(tally, trial, text);
    const { bytes, starts, ends } = text;
    const repetition = repetitionOf(trial) ?? times;
    spoolTrial(this.spool, tally.spooled, { row, repetition, scores, bytes, starts, ends });
  }

  /** The number of a trial's row, which mostly has come before for another evaluation. */
  private rowOf(trial: TrialSource, text: TrialText): number {
    const row = text.rowIn(this.ordinals);
    if (row === this.rows.length) {
      this.rows.add(trial.rowOf(this.options.rowKey));
      spoolRow(this.spool, this.rowTexts, text.bytes, text.starts[PLACE.row]!, text.ends[PLACE.row]!);
    }
    return row;
  }

  /** The number of a row in an evaluation. */
  private takeRow(tally: EvaluationTally, row: number): number {
    const { rows } = this;
    const own = tally.rows.ofOther(rows.byDigest, rows.digestNumber(row));
    if (own === tally.counts.length) {
      tally.first.push(row);
      tally.counts.push(0);
      rows.addTo(tally.version, row);
    } else if (!rows.haveSameContent(row, tally.first.array[own]!)) {
      count(tally.leftOut, "row repeated with other content; the first is kept");
    }
    return own;
  }

  /**
   * Counts scores now, or remembers them and counts their repeats at the end. Returns their number among those that are
   * remembered; -1 if they are not.
   */
  private takeScoresAgain(
    tally: EvaluationTally,
    { scores, sameScores }: TrialSource,
    text: TrialText,
  ): number {
    const { seenTexts, seen, seenAt } = tally;
    const at = sameScores < seenAt.length ? seenAt.array[sameScores]! : -1;
    if (at >= 0) {
      seen[at]!.again++;
      return at;
    }
    const { bytes, starts, ends } = text;
    const [start, end] = [starts[PLACE.scores]!, ends[PLACE.scores]!];
    const isKept = this.seen < SEEN && end - start <= LONGEST_SEEN;
    const place = isKept ? seenTexts.ofBytes(bytes, start, end) : seenTexts.knownBytes(bytes, start, end);
    const known = seen[place];
    if (known !== undefined) {
      known.again++;
      return place;
    }
    if (isKept) {
      seen.push({ scores, again: 0 });
      if (sameScores >= 0) seenAt.set(sameScores, place);
      this.seen++;
    }
    this.takeScores(tally, scores, 1);
    return isKept ? place : -1;
  }

  /** Counts scores of a number of trials. */
  private takeScores(tally: EvaluationTally, scores: JsonObject, times: number): void {
    const texts = tally.told?.scoreTexts ?? "words";
    let any = false;
    for (const [keys, value] of scoreLeaves(scores)) {
      const path = printFieldPath(keys);
      this.scoreNames.add(path);
      if (!isWanted(keys, this.options.scores)) continue;
      if (Array.isArray(value)) {
        // An empty list counts as a missing value.
        const what = value.length === 0 ? "score without a value" : "list among the scores";
        count(tally.leftOut, `${what} (${path})`, times);
        continue;
      }
      const words = this.words.get(path) ?? noWords();
      const meanings = meaningsOf(words, value, texts, times);
      if (meanings.number === undefined && meanings.text === undefined) {
        count(tally.leftOut, `score without a value (${path})`, times);
        continue;
      }
      any = true;
      this.words.set(path, words);
      this.scores.set(path, { texts, keys });
      const score = scoreAt(tally, path, keys);
      score.values += times;
      addTimes(score.own[typeof value as "boolean" | "number" | "string"], Number(value) || 0, times);
      const { boolean, number, comma } = meanings;
      if (boolean !== undefined) addTimes(score.read.boolean, Number(boolean), times);
      if (number !== undefined) addTimes(score.read.number, number, times);
      if (comma !== undefined) addTimes(score.read.comma, comma, times);
      this.countPasses(score, path, meanings, times);
    }
    if (!any) tally.unscored += times;
  }

  private countPasses(score: ScoreTally, path: string, meanings: ScoreMeanings, times: number): void {
    for (const rule of this.options.passes ?? []) {
      if (!isRuleFor(rule, path, score.keys)) continue;
      const counts = score.passes.get(rule) ?? {
        number: { known: 0, passed: 0 },
        comma: { known: 0, passed: 0 },
        text: { known: 0, passed: 0 },
      };
      score.passes.set(rule, counts);
      for (const of of ["number", "comma", "text"] as const) {
        const passed = meanings[of] === undefined ? undefined : rule.passes(meanings[of]);
        if (passed === undefined) continue;
        counts[of].known += times;
        if (passed) counts[of].passed += times;
      }
    }
  }

  private tallyOf(id: string): EvaluationTally {
    const known = this.evaluations.get(id);
    if (known !== undefined) return known;
    const tally: EvaluationTally = {
      told: undefined,
      directions: undefined,
      trials: 0,
      errors: 0,
      unscored: 0,
      chain: new Uint8Array(DIGEST_LENGTH),
      rows: new Dictionary(),
      first: growableIndexes(),
      counts: growableIndexes(),
      version: new Uint8Array(55),
      spooled: this.spool.stream(),
      seenTexts: new Dictionary(),
      seen: [],
      seenAt: growableIndexes(),
      scores: new Map(),
      leftOut: new Map(),
    };
    this.evaluations.set(id, tally);
    return tally;
  }
}

// Trials of a row have times that differ by microseconds.
const MOST_REPETITIONS = 1e9;

/** The repetition that a file states for a trial; undefined if missing or impossible. */
function repetitionOf({ repetition }: TrialSource): number | undefined {
  const isOne = Number.isSafeInteger(repetition) && repetition! >= 0 && repetition! < MOST_REPETITIONS;
  return isOne ? repetition : undefined;
}

/** Whether a score was asked for, by its first name or its path. */
export function isWanted(keys: readonly string[], wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.includes(keys[0]!) || wanted.includes(printFieldPath(keys));
}

/** Whether a rule applies to a score. */
export function isRuleFor(rule: PassRule, path: string, keys: readonly string[]): boolean {
  return rule.score === path || (keys.length === 1 && rule.score === keys[0]);
}

function scoreAt(tally: EvaluationTally, path: string, keys: readonly string[]): ScoreTally {
  const known = tally.scores.get(path);
  if (known !== undefined) return known;
  const score: ScoreTally = {
    keys,
    values: 0,
    own: { boolean: newTotal(), number: newTotal(), string: newTotal() },
    read: { boolean: newTotal(), number: newTotal(), comma: newTotal() },
    passes: new Map(),
  };
  tally.scores.set(path, score);
  return score;
}

interface Finished {
  readonly tally: EvaluationTally;
  /** Its index among the evaluations of its files. */
  readonly place: number;
  readonly readings: ReadonlyMap<string, ScoreReading>;
}

function finishedEvaluation(kind: string, { tally, place, readings }: Finished): UnitEvaluation {
  const told = tally.told!;
  const { name, model, dataset = name, startedAt } = told;
  const run = textDigest(canonicalJson([kind, told.id, name, model ?? null, dataset])).slice(0, 10);
  const content = textDigest(String.fromCharCode(...tally.chain) + JSON.stringify(told)).slice(0, 12);
  const { trials, errors, unscored } = tally;
  const planned: PlannedEvaluation = {
    // Evaluations without a time are listed by id; this keeps file order.
    id: `${place.toString(36).padStart(2, "0")}${run}-${content}`,
    run,
    kind,
    name,
    model,
    dataset,
    startedAt,
    rows: tally.rows.size,
    trials,
    errors,
    unscored,
    scores: [...tally.scores].flatMap(([path, score]) =>
      plannedScores(path, score, {
        reading: readings.get(path) ?? "as it is",
        direction: score.keys.length === 1 ? tally.directions?.get(score.keys[0]!) : undefined,
      }),
    ),
    leftOut: [
      ...Array.from(tally.leftOut, ([what, times]) => ({ what, count: times })),
      ...[...tally.scores].flatMap(([path, score]) => unread(path, score, readings.get(path) ?? "as it is")),
    ],
  };
  return {
    told,
    planned,
    version: textDigest(String.fromCharCode(...tally.version)).slice(0, 20),
    rows: tally.rows,
    unitRows: tally.first.trimmed(),
    trials: tally.spooled,
  };
}

interface HowScored {
  readonly reading: ScoreReading;
  readonly direction: PlannedScore["direction"];
}

function plannedScores(
  path: string,
  score: ScoreTally,
  { reading, direction }: HowScored,
): readonly PlannedScore[] {
  const [type, sum] = typeOf(score, reading);
  const rules = [...score.passes].map(([rule, counts]) => ({ rule, ...counts[passMeaning(type, reading)] }));
  const mean = type === "text" || type === "mixed" ? undefined : meanOf(sum);
  const said = rules.map(({ rule }) => rule.text).join("; ");
  const passes = said !== "" ? said : type === "boolean" ? "true" : undefined;
  return [
    { path, type, trials: sum.count, mean, passes, direction },
    ...rules
      .filter(({ known }) => known > 0)
      .map(
        ({ rule, known, passed }): PlannedScore => ({
          path: printFieldPath([passName(rule)]),
          type: "boolean",
          trials: known,
          mean: passed / known,
          passes: "true",
          direction: undefined,
        }),
      ),
  ];
}

/** Values that do not fit the type that the user gave the score. */
function unread(
  path: string,
  score: ScoreTally,
  reading: ScoreReading,
): readonly { readonly what: string; readonly count: number }[] {
  if (reading === "as it is" || reading === "texts") return [];
  const [type, { count: known }] = typeOf(score, reading);
  const what = `value that is not ${type === "boolean" ? "true or false" : "a number"} (${path})`;
  return known === score.values ? [] : [{ what, count: score.values - known }];
}

function passMeaning(type: PlannedScore["type"], reading: ScoreReading): PassMeaning {
  if (reading === "numbers with a comma") return "comma";
  return type === "text" ? "text" : "number";
}

function typeOf(
  { values, own, read }: ScoreTally,
  reading: ScoreReading,
): readonly [PlannedScore["type"], Total] {
  if (reading === "booleans") return ["boolean", read.boolean];
  if (reading === "numbers") return ["number", read.number];
  if (reading === "numbers with a comma") return ["number", read.comma];
  if (reading === "texts") return ["text", { ...newTotal(), count: values }];
  const kinds = [own.boolean, own.number, own.string].filter(({ count: times }) => times > 0);
  if (kinds.length > 1) return ["mixed", kinds.reduce((a, b) => (a.count >= b.count ? a : b))];
  if (own.boolean.count > 0) return ["boolean", own.boolean];
  return own.number.count > 0 ? ["number", own.number] : ["text", own.string];
}

function count(counts: Map<string, number>, what: string, times = 1): void {
  counts.set(what, (counts.get(what) ?? 0) + times);
}

/** Adds a number a given number of times. */
function addTimes(total: Total, value: number, times: number): void {
  for (let i = 0; i < times; i++) addExactly(total, value);
}
