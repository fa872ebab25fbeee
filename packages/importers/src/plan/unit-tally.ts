// Counts what a unit contains, the files that are read together, while it is read. Trials and rows are spooled.

import { printFieldPath } from "@assay/query-lang/internal";
import { Dictionary } from "../collections/digest-table.ts";
import { type RefusedFiles, refusal, Unreadable } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import type { Importer } from "../formats/importer.ts";
import type { JsonObject } from "../json/json-text.ts";
import { type ImportOptions, isSelected } from "../options/import-options.ts";
import { type PassRule, passName, ruleApplies } from "../scores/pass-rule.ts";
import type { ScoreTexts } from "../scores/score-values.ts";
import { meaningsOf, noCounts, scoreLeaves, type ValueCounts } from "../scores/score-values.ts";
import type { Spool, SpoolStream } from "../spool/spool.ts";
import { spoolRow, spoolTrial } from "../spool/spooled-trials.ts";
import { EvaluationTally } from "../trials/evaluation-tally.ts";
import type { ImportEvent, TrialSource } from "../trials/imported-trial.ts";
import { ScoreTally } from "../trials/score-tally.ts";
import { TrialObject } from "../trials/trial-object.ts";
import { PLACE, TrialText } from "../trials/trial-text.ts";
import { UnitRows } from "../trials/unit-rows.ts";

/** How many different scores to remember, and the maximum length of their JSON. */
const [MOST_REMEMBERED, LONGEST_REMEMBERED] = [65_536, 512] as const;
// Trials of a row have times that differ by microseconds.
const MOST_REPETITIONS = 1e9;

/** A score in all evaluations of a unit. */
interface UnitScore {
  readonly keys: readonly string[];
  readonly counts: ValueCounts;
  /** How to read its texts. */
  texts: ScoreTexts;
}

/** The counts of files that are read together. */
export class UnitTally {
  readonly importer: Importer;
  readonly files: readonly ImportFile[];
  readonly evaluations: Map<string, EvaluationTally> = new Map();
  /** The scores with values, by path. */
  readonly scores: Map<string, UnitScore> = new Map();
  /** The paths of all scores, including unselected ones. */
  readonly scoreNames: Set<string> = new Set();
  readonly notes: string[] = [];
  /** Whether a file states that its numbers have decimal commas. */
  decimalComma = false;
  /** All rows, and their numbers by key and content. */
  readonly rows: UnitRows = new UnitRows();
  readonly rowTexts: SpoolStream;
  private readonly ordinals = new Dictionary();
  private readonly options: ImportOptions;
  private readonly spool: Spool;
  /** The current trial, the one before it, and its row. */
  private text = new TrialText();
  private before = new TrialText();
  private row: number = -1;
  /** The number of remembered scores, over all evaluations. */
  private remembered = 0;

  constructor(importer: Importer, files: readonly ImportFile[], options: ImportOptions, spool: Spool) {
    [this.importer, this.files, this.options, this.spool] = [importer, files, options, spool];
    this.rowTexts = spool.stream();
  }

  /** Reads the files. Returns a refusal if they cannot be read. */
  async read(): Promise<RefusedFiles | undefined> {
    try {
      for await (const event of this.importer.read(this.files, this.options)) {
        this.addEvent(event);
        const full = this.spool.settle();
        if (full !== undefined) await full;
      }
      this.finish();
      return undefined;
    } catch (error) {
      return refusal(this.files, error);
    }
  }

  private finish(): void {
    for (const rule of this.options.passes ?? []) this.checkPassName(rule);
    for (const [id, tally] of this.evaluations) {
      if (tally.source === undefined)
        throw new Unreadable(`trials of an evaluation ${id} that it does not describe`);
      for (const { scores, repeats } of tally.repeated)
        if (repeats > 0) this.addScores(tally, scores, repeats);
      tally.repeated = [];
    }
  }

  /** Throws if the result of a rule would replace a score. */
  private checkPassName(rule: PassRule): void {
    const name = passName(rule);
    const applies = [...this.scores].some(([path, { keys }]) => ruleApplies(rule, path, keys));
    if (applies && this.scores.has(printFieldPath([name])))
      throw new Unreadable(
        `a score ${name}, which "${rule.text}" would replace; leave out this rule`,
        "asked",
      );
  }

  private addEvent(event: ImportEvent): void {
    if (event.kind === "note") this.notes.push(event.note);
    else if (event.kind === "evaluation") {
      const tally = this.tallyOf(event.evaluation.id);
      tally.source = event.evaluation;
      tally.directions = event.directions;
      tally.rowFields = event.rowFields;
      this.decimalComma ||= event.evaluation.decimalComma === true;
    } else if (event.kind === "texts") for (const trial of event.trials) this.addTrial(trial);
    else for (const trial of event.trials) this.addTrial(new TrialObject(trial));
  }

  private tallyOf(id: string): EvaluationTally {
    const tally = this.evaluations.get(id) ?? new EvaluationTally(this.spool, this.rows);
    this.evaluations.set(id, tally);
    return tally;
  }

  private addTrial(trial: TrialSource): void {
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
    const digest = this.rows.digestNumber(this.row);
    this.addRow(tally, this.row);
    const { trialsBefore } = tally.rows;
    const scores = this.rememberScores(tally, trial, text);
    const { bytes, starts, ends } = text;
    const repetition = repetitionOf(trial) ?? trialsBefore;
    spoolTrial(this.spool, tally.spooled, { digest, repetition, scores, bytes, starts, ends });
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

  /** Counts a trial of a row in its evaluation. */
  private addRow(tally: EvaluationTally, row: number): void {
    const first = tally.rows.add(row);
    if (tally.rows.trialsBefore === 0) this.rows.addTo(tally.version, row);
    else if (!this.rows.haveSameContent(row, first))
      tally.leaveOut("row repeated with other content; the first is kept");
  }

  /**
   * Counts scores now, or remembers them and counts their repeats at the end. Returns their number among those that are
   * remembered; -1 if they are not.
   */
  private rememberScores(
    tally: EvaluationTally,
    { scores, sameScores }: TrialSource,
    text: TrialText,
  ): number {
    const { scoreTexts, repeated, repeatedAt } = tally;
    const at = sameScores < repeatedAt.length ? repeatedAt.array[sameScores]! : -1;
    if (at >= 0) {
      repeated[at]!.repeats++;
      return at;
    }
    const { bytes, starts, ends } = text;
    const [start, end] = [starts[PLACE.scores]!, ends[PLACE.scores]!];
    const isRemembered = this.remembered < MOST_REMEMBERED && end - start <= LONGEST_REMEMBERED;
    const number = isRemembered
      ? scoreTexts.ofBytes(bytes, start, end)
      : scoreTexts.knownBytes(bytes, start, end);
    const known = repeated[number];
    if (known !== undefined) {
      known.repeats++;
      return number;
    }
    if (isRemembered) {
      repeated.push({ scores, repeats: 0 });
      if (sameScores >= 0) repeatedAt.set(sameScores, number);
      this.remembered++;
    }
    this.addScores(tally, scores, 1);
    return isRemembered ? number : -1;
  }

  /** Counts scores of a number of trials. */
  private addScores(tally: EvaluationTally, scores: JsonObject, times: number): void {
    const texts = tally.source?.scoreTexts ?? "words";
    let hasScore = false;
    for (const [keys, value] of scoreLeaves(scores)) {
      const path = printFieldPath(keys);
      this.scoreNames.add(path);
      if (!isSelected(keys, this.options)) continue;
      const score = this.scores.get(path) ?? { keys, counts: noCounts(), texts };
      const meanings = meaningsOf(score.counts, value, texts, times);
      if (meanings.number === undefined && meanings.text === undefined) {
        // An empty list counts as a missing value.
        const isList = Array.isArray(value) && value.length > 0;
        tally.leaveOut(`${isList ? "list among the scores" : "score without a value"} (${path})`, times);
        continue;
      }
      hasScore = true;
      score.texts = texts;
      this.scores.set(path, score);
      const own = tally.scores.get(path) ?? new ScoreTally(path, keys);
      tally.scores.set(path, own);
      own.add(value, meanings, this.options.passes ?? [], times);
    }
    if (!hasScore) tally.unscored += times;
  }
}

/** The repetition that a file states for a trial; undefined if missing or impossible. */
function repetitionOf({ repetition }: TrialSource): number | undefined {
  const isOne = Number.isSafeInteger(repetition) && repetition! >= 0 && repetition! < MOST_REPETITIONS;
  return isOne ? repetition : undefined;
}
