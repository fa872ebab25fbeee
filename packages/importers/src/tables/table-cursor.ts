// Moves over the records of a table, whose cells are bytes: texts, or the JSON of values.

import type { Json } from "@assay/base";
import { compareText, parseJson } from "@assay/base/internal";
import { canonicalJson } from "@assay/calls/internal";
import { ByteWriter } from "../collections/byte-writer.ts";
import { at, type JsonObject } from "../json/json-text.ts";
import { PLACE, type TrialText } from "../trials/trial-text.ts";
import type { CellRows } from "./cells/cell-rows.ts";
import { cellText, type EncodedColumn } from "./encoded-column.ts";
import type { EncodedTable } from "./encoded-table.ts";
import { keyText } from "./table-values.ts";

const [OPEN, CLOSE, QUOTE] = [0x7b, 0x7d, 0x22] as const;
const encoder = new TextEncoder();
/** The prefix of the digest of a row's key, and the length of the separator between its members. */
const [ROW_PREFIX, COMMA] = [encoder.encode("row {"), 2] as const;

/** A member of an object whose value is a cell. */
export interface CellMember {
  readonly name: string;
  /** The name as JSON, with a colon. */
  readonly json: string;
  readonly column: EncodedColumn;
  /** The index of the cell in its row. */
  readonly place: number;
  /** The JSON before the value: a comma and the name. */
  readonly opening: Uint8Array;
  /** The same as `canonicalJson` writes it: a comma, a space and the name. */
  readonly canonicalOpening: Uint8Array;
}

/** Members in the order of `canonicalJson`. */
export function canonicalOrder(members: readonly CellMember[]): readonly CellMember[] {
  return [...members].sort((a, b) => compareText(a.name, b.name));
}

/** The current record of a table. */
export class TableCursor {
  /** The number of the current record. */
  record = 0;
  /** The record to compare with; -1 if there is none. */
  last: number = -1;
  private readonly members: ReadonlyMap<string, CellMember>;
  private readonly json = new ByteWriter();
  private rows: CellRows | undefined;
  /** The number of records before these rows. */
  private before = 0;
  /** The first cell of the record. */
  private cell = 0;

  constructor(columns: EncodedTable["columns"]) {
    this.members = new Map(
      Array.from(columns, ([name, column]) => {
        const json = `${JSON.stringify(name)}:`;
        const opening = encoder.encode(`,${json}`);
        const canonicalOpening = encoder.encode(`, ${canonicalJson(name)}: `);
        return [name, { name, json, column, place: column.place, opening, canonicalOpening }];
      }),
    );
  }

  /** Continues with more rows. */
  begin(rows: CellRows): void {
    if (this.rows !== undefined) this.before += this.rows.count - this.rows.first;
    this.rows = rows;
  }

  /** Moves to a row. */
  moveTo(row: number): void {
    this.record = this.before + row - this.rows!.first;
    this.cell = row * this.members.size;
  }

  /** The member of a column. */
  member(name: string): CellMember {
    return this.members.get(name)!;
  }

  /** These members in the order in which an object has them, regardless of the order of `names`. */
  membersOf(names: Iterable<string>): readonly CellMember[] {
    const object = Object.fromEntries(Array.from(names, (name) => [name, 0]));
    return Object.keys(object).map((name) => this.member(name));
  }

  /** The code of the value in a column. */
  codeOf({ codes }: EncodedColumn): number {
    return codes.get(this.record);
  }

  /** Whether the value may be another than that of the trial before: null and a missing value have the same code. */
  isOther({ column: { codes } }: CellMember): boolean {
    const code = codes.get(this.record);
    if (this.last < 0 || code !== codes.get(this.last)) return true;
    return code === 0 && this.rows!.cells.doubled === undefined;
  }

  /** Whether a member has a value that helps to identify the row. */
  identifies({ column }: CellMember): boolean {
    return column.keyOf(this.codeOf(column)) !== 0;
  }

  /** The value of a member. */
  valueOf(member: CellMember): Json | undefined {
    return at(this.objectOf([member]), member.name);
  }

  /** An object of these members of the record. */
  objectOf(members: readonly CellMember[]): JsonObject {
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
  inFileOrder(): readonly CellMember[] {
    const { starts, doubled } = this.rows!.cells;
    const members = [...this.members.values()];
    if (doubled !== undefined) return members;
    return members.sort((a, b) => starts[this.cell + a.place]! - starts[this.cell + b.place]!);
  }

  /** Whether the record has a member. */
  has({ place }: CellMember): boolean {
    const { doubled, ends } = this.rows!.cells;
    return doubled !== undefined || ends[this.cell + place] !== 0;
  }

  /** Writes a value as JSON. `ascii`: as `canonicalJson` does. */
  writeCell(text: ByteWriter, member: CellMember, ascii: boolean = false): void {
    const { bytes, cells } = this.rows!;
    const cell = this.cell + member.place;
    const [start, end] = [cells.starts[cell]!, cells.ends[cell]!];
    if (cells.doubled !== undefined) text.quoted(bytes, start, end, cells.doubled[cell] === 1, ascii);
    else if (!ascii) text.copy(bytes, start, end);
    else if (bytes[start] === QUOTE) text.asciiJson(bytes, start, end);
    else text.text(canonicalJson(parseJson(`[${cellText(bytes, start, end, false)}]`)).slice(1, -1));
  }

  /** Writes the part of the row's key that a cell contributes. */
  private writeKey(text: ByteWriter, member: CellMember, ascii: boolean): void {
    const { column } = member;
    const code = this.codeOf(column);
    const key = column.keyOf(code) === code ? undefined : keyText(this.valueOf(member));
    if (typeof key !== "string") this.writeCell(text, member, ascii);
    else {
      const bytes = encoder.encode(key);
      text.quoted(bytes, 0, bytes.length, false, ascii);
    }
  }

  private writeMembers(
    text: ByteWriter,
    members: readonly CellMember[],
    isKey: boolean,
    ascii: boolean,
  ): void {
    for (const member of members) {
      if (isKey ? !this.identifies(member) : !this.has(member)) continue;
      text.write(ascii ? member.canonicalOpening : member.opening);
      if (isKey) this.writeKey(text, member, ascii);
      else this.writeCell(text, member, ascii);
    }
  }

  /** The bytes to digest for the row, in the notation of `canonicalJson`. */
  canonical(members: readonly CellMember[], isKey: boolean): Uint8Array {
    const { json } = this;
    json.size = ROW_PREFIX.length - COMMA;
    this.writeMembers(json, members, isKey, true);
    json.size = Math.max(json.size, ROW_PREFIX.length);
    json.byte(CLOSE);
    json.bytes.set(ROW_PREFIX);
    return json.bytes.subarray(isKey ? 0 : ROW_PREFIX.length - 1, json.size);
  }

  /** Writes an object of these members. */
  writeObject(text: TrialText, place: number, members: readonly CellMember[]): void {
    text.open(place);
    const start = text.size;
    this.writeMembers(text, members, place === PLACE.rowKey, false);
    if (text.size === start) text.byte(OPEN);
    else text.bytes[start] = OPEN;
    text.byte(CLOSE);
    text.close(place);
  }
}
