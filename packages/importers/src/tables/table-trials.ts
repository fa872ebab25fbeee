// Builds the JSON of trials directly from the bytes of a table's cells: texts, or the JSON of values.

import { jsonText } from "@assay/base";
import { DIGEST_LENGTH, writeDigest } from "@assay/calls/internal";
import { Unreadable } from "../files/errors.ts";
import { fileStem, type ImportFile } from "../files/import-file.ts";
import type { JsonObject } from "../json/json-text.ts";
import type { ReadOptions } from "../options/import-options.ts";
import {
  evaluationEvent,
  type ImportEvent,
  type ImportedEvaluation,
  type ImportedTrial,
  type TrialRow,
  type TrialSource,
} from "../trials/imported-trial.ts";
import { trialRow } from "../trials/trial-object.ts";
import { PLACE, type TrialText } from "../trials/trial-text.ts";
import type { CellRows } from "./cells/cell-rows.ts";
import { linesOfRecords } from "./cells/delimited-rows.ts";
import { isSummaryName } from "./columns/column-roles.ts";
import { columnsOf, type NamedAnswer } from "./columns/table-layout.ts";
import type { EncodedTable } from "./encoded-table.ts";
import { MetricScores } from "./metric-scores.ts";
import type { RefinedLayout } from "./refined-layout.ts";
import { type CellMember, canonicalOrder, TableCursor } from "./table-cursor.ts";
import {
  type CellForm,
  missingKeyMessage,
  readRunMetadata,
  repetitionOf,
  scoresOf,
  textOf,
} from "./table-values.ts";

/** A table with its layout and options. */
interface TableToRead {
  readonly encoded: EncodedTable;
  readonly layout: RefinedLayout;
  readonly options: ReadOptions;
}

/** The trials of a table by its cells. */
export async function* tableTrials(file: ImportFile, table: TableToRead): AsyncGenerator<ImportEvent> {
  const { cells } = table.encoded;
  const trials = new TableTrials(fileStem(file), table, await metricScores(table));
  const { rowKey } = table.options;
  const rowFields = rowKey === undefined ? table.layout.key : [rowKey];
  for await (const rows of cells()) {
    for (const evaluation of trials.begin(rows)) yield evaluationEvent(evaluation, undefined, rowFields);
    yield { kind: "texts", trials: trials.all(rows) };
  }
  const columns = table.layout.evaluation.join(" and ");
  const areMerged = trials.unnamed.length * 2 >= table.encoded.records;
  for (const [records, why] of [
    [trials.unnamed, `no ${columns}, which others have${areMerged ? MERGED : ""}`],
    [trials.summaries, "by its name, it sums up the rows before it"],
  ] as const)
    if (records.length > 0) yield { kind: "note", note: await leftOutNote(file, table, records, why) };
}

/** What to do if most records lack what a few have. */
const MERGED = "; if cells were merged, repeat their value in each line";

/** How many records are listed in a note. */
const SHOWN = 8;

/** A sentence on records that are left out. */
async function leftOutNote(
  file: ImportFile,
  { encoded }: TableToRead,
  records: readonly number[],
  why: string,
): Promise<string> {
  const { areTexts } = encoded.form;
  const shown = records.slice(0, SHOWN);
  const places = areTexts ? await linesOfRecords(file, shown) : shown;
  const what = `${areTexts ? "line" : "record"}${records.length === 1 ? "" : "s"}`;
  const more = records.length > SHOWN ? ` and ${records.length - SHOWN} more` : "";
  return `${file.path}: ${what} ${places.join(", ")}${more} left out: ${why}`;
}

/** The scores of a table with a record for each metric. */
async function metricScores({ encoded, layout, options }: TableToRead): Promise<MetricScores | undefined> {
  if (layout.trials === undefined) return undefined;
  const scores = new MetricScores(encoded, { ...layout, trials: layout.trials }, options);
  for await (const rows of encoded.cells()) scores.add(rows);
  return scores;
}

/** How many records at the end of a table may sum up the others. */
const SUMMARIES = 5;

/** How many different scores are remembered. */
const KNOWN_SCORES = 16_384;

interface KnownScores {
  readonly ordinal: number;
  readonly scores: JsonObject;
  readonly text: string;
}

/** The answer in a row, with the places of its columns. */
interface PlacedAnswer extends NamedAnswer {
  readonly output: CellMember | undefined;
  readonly scores: readonly CellMember[];
  /** Time, tokens and errors. */
  readonly runColumns: readonly CellMember[];
  readonly beside: readonly CellMember[];
  readonly all: readonly CellMember[];
  /** Scores already read, by the codes of their cells. */
  readonly known: Map<number, KnownScores>;
}

interface EvaluationName {
  readonly name: string;
  readonly model: string | undefined;
  readonly json: string;
}

/** The trials in cells, one after the other: this object represents each until the next. */
class TableTrials implements TrialSource {
  evaluation = "";
  repetition: number | undefined;
  scores: JsonObject = {};
  sameScores: number = -1;
  error: string | undefined;
  /** The numbers, from 1, of the records that are left out because only others name their evaluation. */
  readonly unnamed: number[] = [];
  /** The numbers of those that sum up the others. */
  readonly summaries: number[] = [];
  private readonly layout: RefinedLayout;
  private readonly stem: string;
  private readonly form: CellForm;
  private readonly cursor: TableCursor;
  private readonly metricScores: MetricScores | undefined;
  private readonly answers: readonly PlacedAnswer[];
  private readonly row: readonly CellMember[];
  private readonly key: readonly CellMember[];
  private readonly sortedRow: readonly CellMember[];
  private readonly sortedKey: readonly CellMember[];
  /** The columns that only a row has, in their order. */
  private readonly own: readonly CellMember[];
  /** The first record that may be a summary. */
  private readonly end: number;
  /** The columns that name the evaluation, if any record does. */
  private readonly named: readonly CellMember[];
  private readonly trial: CellMember | undefined;
  private readonly digests: TrialRow = {
    digest: new Uint8Array(DIGEST_LENGTH),
    content: new Uint8Array(DIGEST_LENGTH),
  };
  private readonly names = new Map<string | number, EvaluationName>();
  private readonly seen = new Set<string>();
  private isSame = false;
  /** Parts of the trial. */
  private answer: PlacedAnswer | undefined;
  private nameJson = "";
  private scoresText = "";
  private knownScores = 0;
  private runMetadata: Pick<ImportedTrial, "error" | "latencySeconds" | "totalTokens"> = {};

  constructor(
    stem: string,
    { encoded, layout, options }: TableToRead,
    metricScores: MetricScores | undefined,
  ) {
    const { varying } = layout;
    const cursor = new TableCursor(encoded.columns);
    [this.cursor, this.layout, this.stem, this.form] = [cursor, layout, stem, encoded.form];
    this.metricScores = metricScores;
    this.row = cursor.membersOf([...layout.key, ...layout.others.filter((name) => !varying.has(name))]);
    this.key = cursor.membersOf(options.rowKey === undefined ? layout.key : [options.rowKey]);
    [this.sortedRow, this.sortedKey] = [canonicalOrder(this.row), canonicalOrder(this.key)];
    const isNamed = encoded.profiles.some(
      ({ name, filled }) => filled > 0 && layout.evaluation.includes(name),
    );
    this.named = isNamed ? layout.evaluation.map((name) => cursor.member(name)) : [];
    this.own = cursor.membersOf([
      ...layout.key,
      ...layout.answers.flatMap(({ columns }) => columns.output ?? []),
    ]);
    this.end = Math.max(1, encoded.records - SUMMARIES);
    this.trial = layout.trial === undefined ? undefined : cursor.member(layout.trial);
    this.answers = layout.answers.map((answer) => {
      const { output, latency, tokens, error, scores, facts } = answer.columns;
      return {
        ...answer,
        output: output === undefined ? undefined : cursor.member(output),
        scores: cursor.membersOf(
          layout.derived === undefined ? scores.keys() : [output!, layout.derived.column],
        ),
        runColumns: cursor.membersOf([latency, ...tokens, error].filter((name) => name !== undefined)),
        beside: cursor.membersOf([...varying, ...facts]),
        all: cursor.membersOf(columnsOf(answer.columns)),
        known: new Map<number, KnownScores>(),
      };
    });
  }

  /** Continues with more rows and returns the new evaluations in them. */
  begin(rows: CellRows): readonly ImportedEvaluation[] {
    this.cursor.begin(rows);
    const found: ImportedEvaluation[] = [];
    for (let row = rows.first; row < rows.count; row++) {
      this.cursor.moveTo(row);
      for (const answer of this.answers) {
        const { name, model } = this.nameOf(answer);
        if (name === "" || this.seen.has(name)) continue;
        this.seen.add(name);
        found.push({
          ...{ id: name, name, model, dataset: this.stem },
          scoreTexts: this.form.areTexts ? "cells" : "words",
          ...(this.form.decimalComma && { decimalComma: true }),
        });
      }
    }
    return found;
  }

  /** The trials of these rows. */
  *all({ first, count }: CellRows): Generator<TrialSource> {
    const isWide = this.answers.length > 1;
    for (let row = first; row < count; row++) {
      this.cursor.moveTo(row);
      // All scores of a trial are read with its first record.
      if (this.metricScores?.isFirst(this.cursor.record) === false) continue;
      const isOther = this.row.some((member) => this.cursor.isOther(member));
      this.isSame = this.cursor.last >= 0 && !isOther;
      if (isOther && this.key.every((member) => !this.cursor.identifies(member))) {
        const record = this.cursor.objectOf(this.cursor.inFileOrder());
        const end = this.cursor.record >= this.end ? ", and remove a last line that sums up the others" : "";
        const way = `${end}; if cells were merged, repeat their value in each line`;
        throw new Unreadable(
          `record ${this.cursor.record + 1}: ${missingKeyMessage(record, this.layout)}${way}`,
        );
      }
      if (this.nameOf(this.answers[0]!).name === "") {
        this.unnamed.push(this.cursor.record + 1);
        continue;
      }
      if (this.cursor.record >= this.end && this.isSummary()) {
        this.summaries.push(this.cursor.record + 1);
        continue;
      }
      for (const answer of this.answers) {
        if (isWide && answer.all.every(({ column }) => column.isMissing(this.cursor.codeOf(column))))
          continue;
        this.read(answer);
        yield this;
        this.cursor.last = this.cursor.record;
        this.isSame = true;
      }
    }
  }

  /** Whether the record has only a name of summaries where rows have their identity and answer. */
  private isSummary(): boolean {
    const filled = this.own.filter(({ column }) => !column.isMissing(this.cursor.codeOf(column)));
    return filled.length === 1 && isSummaryName(textOf(this.cursor.valueOf(filled[0]!)));
  }

  rowOf(rowKey: string | undefined): TrialRow {
    if (rowKey !== undefined) return trialRow({ row: this.cursor.objectOf(this.row) }, rowKey);
    const { digest, content } = this.digests;
    writeDigest(this.cursor.canonical(this.sortedKey, true), digest);
    writeDigest(this.cursor.canonical(this.sortedRow, false), content);
    return this.digests;
  }

  isSameRow(): boolean {
    return this.isSame;
  }

  write(text: TrialText, before: TrialText): void {
    const { answer, runMetadata, repetition } = this;
    const { output, beside } = answer!;
    const member = (place: number, json: string | undefined) => {
      if (json === undefined) return;
      text.open(place);
      text.text(json);
      text.close(place);
    };
    const value = (place: number, one: string | number | undefined) =>
      member(place, one === undefined ? one : JSON.stringify(one));
    member(PLACE.evaluation, this.nameJson);
    if (this.isSame) {
      text.copyMember(PLACE.row, before);
      text.copyMember(PLACE.rowKey, before);
    } else {
      this.cursor.writeObject(text, PLACE.row, this.row);
      this.cursor.writeObject(text, PLACE.rowKey, this.key);
    }
    value(PLACE.repetition, repetition);
    text.open(PLACE.output);
    // An empty answer next to an error counts as missing.
    if (
      output === undefined ||
      !this.cursor.has(output) ||
      (runMetadata.error !== undefined && output.column.isMissing(this.cursor.codeOf(output.column)))
    )
      text.text("null");
    else this.cursor.writeCell(text, output);
    text.close(PLACE.output);
    member(PLACE.scores, this.scoresText);
    value(PLACE.error, runMetadata.error);
    value(PLACE.latencySeconds, runMetadata.latencySeconds);
    value(PLACE.totalTokens, runMetadata.totalTokens);
    this.cursor.writeObject(text, PLACE.attributes, beside);
  }

  private read(answer: PlacedAnswer): void {
    const { name, json } = this.nameOf(answer);
    [this.answer, this.evaluation, this.nameJson] = [answer, name, json];
    this.repetition =
      this.trial === undefined ? answer.repetition : repetitionOf(this.cursor.valueOf(this.trial));
    this.runMetadata =
      answer.runColumns.length === 0
        ? {}
        : readRunMetadata(this.cursor.objectOf(answer.runColumns), answer.columns, this.form);
    this.error = this.runMetadata.error;
    const { scores, text, ordinal } = this.scoresOf(answer);
    [this.scores, this.scoresText, this.sameScores] = [scores, text, ordinal];
  }

  private scoresOf(answer: PlacedAnswer): KnownScores {
    if (this.metricScores !== undefined) {
      const scores = this.metricScores.of(this.cursor.record);
      return { scores, text: jsonText(scores), ordinal: -1 };
    }
    let code = 0;
    for (const { column } of answer.scores) code = code * column.size + this.cursor.codeOf(column);
    const known = answer.known.get(code);
    if (known !== undefined) return known;
    const record = this.cursor.objectOf(answer.scores);
    const { derived } = this.layout;
    const scores =
      derived === undefined
        ? scoresOf(record, answer.columns, this.form.areTexts)
        : { [derived.name]: derived.of(record, answer) ?? null };
    const isKept = answer.known.size < KNOWN_SCORES && code <= Number.MAX_SAFE_INTEGER;
    const found = { scores, text: jsonText(scores), ordinal: isKept ? this.knownScores++ : -1 };
    if (isKept) answer.known.set(code, found);
    return found;
  }

  /** The name of the record's evaluation; empty if only others have one. */
  private nameOf({ model }: PlacedAnswer): EvaluationName {
    const [only] = this.named;
    const code =
      model ??
      (this.named.length === 1
        ? this.cursor.codeOf(only!.column)
        : this.named.map(({ column }) => this.cursor.codeOf(column)).join());
    const known = this.names.get(code);
    if (known !== undefined) return known;
    const parts = this.named.map((member) => textOf(this.cursor.valueOf(member)));
    const name = model ?? (this.named.length === 0 ? this.stem : parts.filter(Boolean).join(" · "));
    const found = { name, model: model ?? (parts[0] || undefined), json: JSON.stringify(name) };
    this.names.set(code, found);
    return found;
  }
}
