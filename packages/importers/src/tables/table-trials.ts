// Builds the JSON of trials directly from the bytes of a table's cells: texts, or the JSON of values.

import { type Json, jsonText } from "@assay/base";
import { compareText, parseJson } from "@assay/base/internal";
import { bytesDigest, canonicalJson } from "@assay/calls/internal";
import { ByteWriter } from "../byte-writer.ts";
import { Unreadable } from "../errors.ts";
import { fileStem, type ImportFile } from "../import-file.ts";
import {
  evaluationEvent,
  type ImportEvent,
  type ImportedEvaluation,
  type ImportedTrial,
  type ReadOptions,
  type TrialRow,
  type TrialSource,
} from "../importer.ts";
import { at, type JsonObject } from "../json-text.ts";
import { CONTENT, trialRow } from "../trial-object.ts";
import { PLACE, type TrialText } from "../trial-text.ts";
import type { CellRows } from "./cell-rows.ts";
import { cellText, type EncodedColumn } from "./encoded-column.ts";
import type { EncodedTable } from "./encoded-table.ts";
import type { RefinedLayout } from "./refined-layout.ts";
import { columnsOf, type NamedAnswer } from "./table-layout.ts";
import {
  type CellForm,
  keyText,
  missingKeyMessage,
  readRunMetadata,
  repetitionOf,
  scoresOf,
  textOf,
} from "./table-values.ts";

/** A table, and what is known of it. */
interface TableToRead {
  readonly encoded: EncodedTable;
  readonly layout: RefinedLayout;
  readonly options: ReadOptions;
}

/** The trials of a table by its cells. */
export async function* tableTrials(
  file: ImportFile,
  table: TableToRead,
  cells: AsyncIterable<CellRows>,
): AsyncGenerator<ImportEvent> {
  const trials = new TableTrials(fileStem(file), table);
  for await (const rows of cells) {
    for (const evaluation of trials.begin(rows)) yield evaluationEvent(evaluation);
    yield { kind: "texts", trials: trials.all() };
  }
}

const [OPEN, CLOSE, QUOTE] = [0x7b, 0x7d, 0x22] as const;
const encoder = new TextEncoder();
/** The prefix of the digest of a row's key, and the length of the separator between its members. */
const [ROW_PREFIX, COMMA] = [encoder.encode("row {"), 2] as const;
/** How many different scores are remembered. */
const KNOWN_SCORES = 16_384;

/** A member of an object whose value is a cell. */
interface CellMember {
  readonly name: string;
  /** The name as JSON, with a colon. */
  readonly json: string;
  readonly column: EncodedColumn;
  /** The index of the cell in its row. */
  readonly place: number;
  /** The JSON before the value: a comma and the name. */
  readonly opening: Uint8Array;
}

/** A member to digest, with the bytes before its value, which begin with a comma and a space. */
interface SortedMember {
  readonly member: CellMember;
  readonly name: Uint8Array;
}

/** Members in the order of `canonicalJson`. */
function sorted(members: readonly CellMember[]): readonly SortedMember[] {
  return [...members]
    .sort((a, b) => compareText(a.name, b.name))
    .map((member) => ({ member, name: encoder.encode(`, ${canonicalJson(member.name)}: `) }));
}

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
  readonly model: string;
  readonly json: string;
}

/** The trials in cells, one after the other: this object represents each until the next. */
class TableTrials implements TrialSource {
  evaluation = "";
  repetition: number | undefined;
  scores: JsonObject = {};
  sameScores: number = -1;
  error: string | undefined;
  private readonly layout: RefinedLayout;
  private readonly stem: string;
  private readonly form: CellForm;
  private readonly members: ReadonlyMap<string, CellMember>;
  private readonly answers: readonly PlacedAnswer[];
  private readonly row: readonly CellMember[];
  private readonly key: readonly CellMember[];
  private readonly sortedRow: readonly SortedMember[];
  private readonly sortedKey: readonly SortedMember[];
  private readonly json = new ByteWriter();
  private readonly named: readonly CellMember[];
  private readonly trial: CellMember | undefined;
  private readonly names = new Map<string | number, EvaluationName>();
  private readonly seen = new Set<string>();
  private rows: CellRows | undefined;
  /** The number of records before these rows. */
  private before = 0;
  /** The record, its first cell, and the record of the trial before. */
  private record = 0;
  private cell = 0;
  private last = -1;
  private isSame = false;
  /** Parts of the trial. */
  private answer: PlacedAnswer | undefined;
  private nameJson = "";
  private scoresText = "";
  private knownScores = 0;
  private runMetadata: Pick<ImportedTrial, "error" | "latencySeconds" | "totalTokens"> = {};

  constructor(stem: string, { encoded, layout, options }: TableToRead) {
    const { varying } = layout;
    this.layout = layout;
    this.stem = stem;
    this.form = encoded.form;
    this.members = new Map(
      Array.from(encoded.columns, ([name, column]) => {
        const json = `${JSON.stringify(name)}:`;
        return [name, { name, json, column, place: column.place, opening: encoder.encode(`,${json}`) }];
      }),
    );
    this.row = this.membersOf([...layout.key, ...layout.others.filter((name) => !varying.has(name))]);
    this.key = this.membersOf(options.rowKey === undefined ? layout.key : [options.rowKey]);
    [this.sortedRow, this.sortedKey] = [sorted(this.row), sorted(this.key)];
    this.named = layout.evaluation.map((name) => this.members.get(name)!);
    this.trial = layout.trial === undefined ? undefined : this.members.get(layout.trial);
    this.answers = layout.answers.map((answer) => {
      const { output, latency, tokens, error, scores, facts } = answer.columns;
      return {
        ...answer,
        output: output === undefined ? undefined : this.members.get(output),
        scores: this.membersOf(scores.keys()),
        runColumns: this.membersOf([latency, ...tokens, error].filter((name) => name !== undefined)),
        beside: this.membersOf([...varying, ...facts]),
        all: this.membersOf(columnsOf(answer.columns)),
        known: new Map<number, KnownScores>(),
      };
    });
  }

  /** Continues with more rows and returns the new evaluations in them. */
  begin(rows: CellRows): readonly ImportedEvaluation[] {
    if (this.rows !== undefined) this.before += this.rows.count - this.rows.first;
    this.rows = rows;
    const found: ImportedEvaluation[] = [];
    for (let row = rows.first; row < rows.count; row++) {
      this.at(row);
      for (const answer of this.answers) {
        const { name, model } = this.nameOf(answer);
        if (this.seen.has(name)) continue;
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
  *all(): Generator<TrialSource> {
    const { first, count } = this.rows!;
    const isWide = this.answers.length > 1;
    for (let row = first; row < count; row++) {
      this.at(row);
      if (
        this.row.some((member) => this.isOther(member)) &&
        this.key.every((member) => !this.identifies(member))
      ) {
        const record = this.objectOf(this.asInFile());
        throw new Unreadable(`record ${this.record + 1}: ${missingKeyMessage(record, this.layout)}`);
      }
      for (const answer of this.answers) {
        if (isWide && answer.all.every(({ column }) => column.isMissing(this.codeOf(column)))) continue;
        this.read(answer);
        yield this;
        this.last = this.record;
      }
    }
  }

  rowOf(rowKey: string | undefined): TrialRow {
    if (rowKey !== undefined) return trialRow({ row: this.objectOf(this.row) }, rowKey);
    return {
      digest: bytesDigest(this.canonical(this.sortedKey, true)),
      content: bytesDigest(this.canonical(this.sortedRow, false)).slice(0, CONTENT),
    };
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
      this.writeObject(text, PLACE.row, this.row);
      this.writeObject(text, PLACE.rowKey, this.key);
    }
    value(PLACE.repetition, repetition);
    text.open(PLACE.output);
    // An empty answer next to an error counts as missing.
    if (
      output === undefined ||
      !this.has(output) ||
      (runMetadata.error !== undefined && output.column.isMissing(this.codeOf(output.column)))
    )
      text.text("null");
    else this.writeCell(text, output);
    text.close(PLACE.output);
    member(PLACE.scores, this.scoresText);
    value(PLACE.error, runMetadata.error);
    value(PLACE.latencySeconds, runMetadata.latencySeconds);
    value(PLACE.totalTokens, runMetadata.totalTokens);
    this.writeObject(text, PLACE.attributes, beside);
  }

  /** Moves to a row. */
  private at(row: number): void {
    const { first } = this.rows!;
    this.record = this.before + row - first;
    this.cell = row * this.members.size;
  }

  private read(answer: PlacedAnswer): void {
    const { name, json } = this.nameOf(answer);
    [this.answer, this.evaluation, this.nameJson] = [answer, name, json];
    this.isSame = this.last >= 0 && !this.row.some((member) => this.isOther(member));
    this.repetition = this.trial === undefined ? answer.repetition : repetitionOf(this.valueOf(this.trial));
    this.runMetadata =
      answer.runColumns.length === 0
        ? {}
        : readRunMetadata(this.objectOf(answer.runColumns), answer.columns, this.form);
    this.error = this.runMetadata.error;
    const { scores, text, ordinal } = this.scoresOf(answer);
    [this.scores, this.scoresText, this.sameScores] = [scores, text, ordinal];
  }

  private scoresOf(answer: PlacedAnswer): KnownScores {
    let code = 0;
    for (const { column } of answer.scores) code = code * column.size + this.codeOf(column);
    const known = answer.known.get(code);
    if (known !== undefined) return known;
    const scores = scoresOf(this.objectOf(answer.scores), answer.columns, this.form.areTexts);
    const isKept = answer.known.size < KNOWN_SCORES && code <= Number.MAX_SAFE_INTEGER;
    const found = { scores, text: jsonText(scores), ordinal: isKept ? this.knownScores++ : -1 };
    if (isKept) answer.known.set(code, found);
    return found;
  }

  private nameOf({ model }: PlacedAnswer): EvaluationName {
    const [only] = this.named;
    const code =
      model ??
      (this.named.length === 1
        ? this.codeOf(only!.column)
        : this.named.map(({ column }) => this.codeOf(column)).join());
    const known = this.names.get(code);
    if (known !== undefined) return known;
    const parts = this.named.map((member) => textOf(this.valueOf(member)));
    const name = model ?? (parts.filter(Boolean).join(" · ") || this.stem);
    const found = { name, model: model ?? (parts[0] || name), json: JSON.stringify(name) };
    this.names.set(code, found);
    return found;
  }

  /** These members in the order that an object gives them, whatever the order of `names`. */
  private membersOf(names: Iterable<string>): readonly CellMember[] {
    const object = Object.fromEntries(Array.from(names, (name) => [name, 0]));
    return Object.keys(object).map((name) => this.members.get(name)!);
  }

  private codeOf({ codes }: EncodedColumn): number {
    return codes.array[this.record]!;
  }

  /** Whether the value may be another than that of the trial before: null and a missing value have the same code. */
  private isOther({ column: { codes } }: CellMember): boolean {
    const code = codes.array[this.record];
    if (this.last < 0 || code !== codes.array[this.last]) return true;
    return code === 0 && this.rows!.cells.doubled === undefined;
  }

  /** Whether a member has a value that helps to identify the row. */
  private identifies({ column }: CellMember): boolean {
    return column.keyOf(this.codeOf(column)) !== 0;
  }

  private valueOf(member: CellMember): Json | undefined {
    return at(this.objectOf([member]), member.name);
  }

  /** An object of these members of the record. */
  private objectOf(members: readonly CellMember[]): JsonObject {
    const { bytes, cells } = this.rows!;
    const { starts, ends, doubled } = cells;
    if (doubled === undefined) {
      const texts: string[] = [];
      for (const { json, place } of members) {
        const cell = this.cell + place;
        if (ends[cell] !== 0) texts.push(json + cellText(bytes, starts[cell]!, ends[cell]!, false));
      }
      return parseJson(`{${texts.join()}}`) as JsonObject;
    }
    return Object.fromEntries(
      members.map(({ name, column, place }) => {
        const cell = this.cell + place;
        const isDoubled = doubled[cell] === 1;
        return [name, column.textOf(this.codeOf(column), bytes, starts[cell]!, ends[cell]!, isDoubled)];
      }),
    );
  }

  /** All members, in the order of the record. */
  private asInFile(): readonly CellMember[] {
    const { starts, doubled } = this.rows!.cells;
    const members = [...this.members.values()];
    if (doubled !== undefined) return members;
    return members.sort((a, b) => starts[this.cell + a.place]! - starts[this.cell + b.place]!);
  }

  private has({ place }: CellMember): boolean {
    const { doubled, ends } = this.rows!.cells;
    return doubled !== undefined || ends[this.cell + place] !== 0;
  }

  private writeCell(text: ByteWriter, member: CellMember, ascii: boolean = false): void {
    const { bytes, cells } = this.rows!;
    const cell = this.cell + member.place;
    const [start, end] = [cells.starts[cell]!, cells.ends[cell]!];
    if (cells.doubled !== undefined) text.quoted(bytes, start, end, cells.doubled[cell] === 1, ascii);
    else if (!ascii) text.copy(bytes, start, end);
    else if (bytes[start] === QUOTE) text.asciiJson(bytes, start, end);
    else text.text(canonicalJson(parseJson(`[${cellText(bytes, start, end, false)}]`)).slice(1, -1));
  }

  /** Writes the part of the row's key that a cell contributes. */
  private writeKey(text: ByteWriter, member: CellMember, ascii: boolean = false): void {
    const { column } = member;
    const code = this.codeOf(column);
    if (column.keyOf(code) === code) {
      this.writeCell(text, member, ascii);
      return;
    }
    const key = keyText(this.valueOf(member));
    if (typeof key !== "string") this.writeCell(text, member, ascii);
    else {
      const bytes = encoder.encode(key);
      text.quoted(bytes, 0, bytes.length, false, ascii);
    }
  }

  /** The bytes to digest for the row, in the notation of `canonicalJson`. */
  private canonical(members: readonly SortedMember[], isKey: boolean): Uint8Array {
    const { json } = this;
    json.size = ROW_PREFIX.length - COMMA;
    for (const { member, name } of members) {
      if (isKey ? !this.identifies(member) : !this.has(member)) continue;
      json.write(name);
      if (isKey) this.writeKey(json, member, true);
      else this.writeCell(json, member, true);
    }
    json.size = Math.max(json.size, ROW_PREFIX.length);
    json.byte(CLOSE);
    json.bytes.set(ROW_PREFIX);
    return json.bytes.subarray(isKey ? 0 : ROW_PREFIX.length - 1, json.size);
  }

  private writeObject(text: TrialText, place: number, members: readonly CellMember[]): void {
    text.open(place);
    const start = text.size;
    for (const member of members) {
      const isKey = place === PLACE.rowKey;
      if (isKey ? !this.identifies(member) : !this.has(member)) continue;
      text.write(member.opening);
      if (isKey) this.writeKey(text, member);
      else this.writeCell(text, member);
    }
    if (text.size === start) text.byte(OPEN);
    else text.bytes[start] = OPEN;
    text.byte(CLOSE);
    text.close(place);
  }
}
