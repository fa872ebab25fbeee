// Reads JSON lines as the bytes of their values, if each is an object in plain notation.

import { type Json, jsonText } from "@assay/base";
import { parseJson } from "@assay/base/internal";
import { nestsDeeper } from "@assay/calls/internal";
import { copyBytes, grown, rewriteEscapes } from "../../collections/byte-writer.ts";
import { UnreadBytes } from "../../files/unread-bytes.ts";
import { DEEPEST, isObject, type JsonObject } from "../../json/json-text.ts";
import { mayBeSeveral } from "../shapes/several-results.ts";
import { type CellRows, type Cells, FastPathError, isUtf8 } from "./cell-rows.ts";
import { endsWithAnswer, flattenedColumns, flattenedRecord } from "./flattened-record.ts";

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x5c] as const;
const [PLUS, COMMA, MINUS, DOT, SLASH, ZERO, NINE, COLON] = [
  ...[0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x30, 0x39, 0x3a],
] as [number, number, number, number, number, number, number, number];
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, LETTER_E, LETTER_U] = [
  0x7b, 0x7d, 0x5b, 0x5d, 0x65, 0x75,
] as const;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const WORDS: readonly Uint8Array[] = ["null", "true", "false"].map((word) => encoder.encode(word));
/** Wider tables, and longer lines, are read as records. */
const [MOST_COLUMNS, LONGEST_LINE] = [256, 4 * 1024 * 1024] as const;
/** The most cells of a batch. */
const MOST_CELLS = 1024 * 1024;
/** Names that objects do not keep in their order. */
export const UNORDERED: RegExp = /^\d+$|^__proto__$/;

/** The values of JSON lines, in batches of lines. Adds the names of new columns. Throws `FastPathError`. */
export async function* jsonRows(
  lines: AsyncIterable<Uint8Array>,
  names: string[],
  isChecked: boolean,
): AsyncGenerator<CellRows> {
  const splitter = new JsonSplitter(names);
  const rowsIn = function* (bytes: Uint8Array): Generator<CellRows> {
    if (!isChecked && !isUtf8(bytes)) throw new FastPathError();
    splitter.begin(bytes);
    while (splitter.split()) {
      const { bytes: own, rows: count } = splitter;
      if (count > 0) yield { bytes: own, cells: splitter, first: 0, count };
    }
  };
  const rest = new UnreadBytes();
  for await (const piece of lines) {
    rest.add(piece);
    const end = rest.bytes.lastIndexOf(NEWLINE) + 1;
    yield* rowsIn(rest.bytes.subarray(0, end));
    rest.skip(end);
    if (rest.length > LONGEST_LINE) throw new FastPathError();
  }
  rest.add(Uint8Array.of(NEWLINE));
  yield* rowsIn(rest.bytes);
}

/** A name of a member. */
interface MemberName {
  readonly name: string;
  readonly quoted: Uint8Array;
  /** Its column; -1 if there is none yet. */
  column: number;
  /** The last object that was its value and whose members become columns: their quoted names, and those columns. */
  flattened: readonly (readonly [name: Uint8Array, column: number])[];
  /** The last list or object that was its value and stayed whole: its bytes, and its JSON. */
  last: { readonly bytes: Uint8Array; readonly json: Uint8Array } | undefined;
}

/** Finds the values in lines of JSON. */
class JsonSplitter implements Cells {
  /** The bytes with the values. */
  bytes: Uint8Array = new Uint8Array(0);
  /** The number of rows found in the last call. */
  rows = 0;
  starts: Uint32Array = new Uint32Array(0);
  ends: Uint32Array = new Uint32Array(0);
  readonly doubled: undefined = undefined;
  /** The names of columns. */
  private readonly names: string[];
  private readonly members: MemberName[] = [];
  private at = 0;

  constructor(names: string[]) {
    this.names = names;
  }

  /** Begins with these bytes, which end with a line. Changes them. */
  begin(bytes: Uint8Array): void {
    [this.bytes, this.at] = [bytes, 0];
  }

  /** Finds the next rows, until the bytes end or there is a new column. Returns whether there may be more. */
  split(): boolean {
    this.rows = 0;
    const { length } = this.bytes;
    if (this.at >= length) return false;
    while (this.at < length) {
      const start = this.after(this.at);
      if (this.bytes[start] === NEWLINE) this.at = start + 1;
      else {
        if (this.bytes[start] !== OPEN) throw new FastPathError();
        if ((this.rows + 1) * this.names.length > MOST_CELLS) break;
        const end = this.readRow(start);
        if (end === -1) {
          if (this.rows > 0) break;
          this.addNames(start);
          continue;
        }
        this.rows++;
        this.at = end;
      }
    }
    return true;
  }

  /** Finds the values of an object. Returns where its line ends; -1 if it has a name that is not yet known. */
  private readRow(start: number): number {
    const columns = this.names.length;
    const row = this.rows * columns;
    this.reserve(row + columns);
    this.starts.fill(0, row, row + columns);
    this.ends.fill(0, row, row + columns);
    let at = this.after(start + 1);
    let next = 0;
    if (this.bytes[at] === CLOSE) at++;
    else {
      for (;;) {
        next = this.memberAt(at, next);
        const member = this.members[next++];
        if (member === undefined) return -1;
        at = this.colonEnd(at + member.quoted.length);
        const byte = this.bytes[at];
        const isNested = byte === OPEN || byte === OPEN_LIST;
        if (!isNested && member.column === -1) return -1;
        at = isNested ? this.readNested(row, member, at) : this.readValue(row + member.column, at);
        if (at === -1) return -1;
        at = this.after(at);
        const after = this.bytes[at++];
        if (after === CLOSE) break;
        if (after !== COMMA) throw new FastPathError();
        at = this.after(at);
      }
    }
    at = this.after(at);
    if (this.bytes[at] !== NEWLINE) throw new FastPathError();
    return at + 1;
  }

  /** Reads a value. Returns where it ends. */
  private readValue(cell: number, start: number): number {
    const end = this.valueEnd(start);
    const after = Math.abs(end);
    this.place(cell, start, end > 0 ? end : this.rewritten(start, after));
    return after;
  }

  private place(cell: number, start: number, end: number): void {
    if (this.ends[cell] !== 0) throw new FastPathError();
    [this.starts[cell], this.ends[cell]] = [start, end];
  }

  /** Reads a list or object, or the members of an object. Returns where it ends; -1 if it has a new column. */
  private readNested(row: number, member: MemberName, start: number): number {
    const known = this.readMembers(row, member.flattened, start);
    if (known !== -1) return known;
    if (member.last !== undefined && this.isAt(start, member.last.bytes)) {
      const { bytes, json } = member.last;
      this.place(row + member.column, start, this.write(start, start + bytes.length, json));
      return start + bytes.length;
    }
    const after = this.nestedEnd(start);
    const value = this.parsed(start, after);
    if (endsWithAnswer(member.name, value) || mayBeSeveral(member.name, value)) throw new FastPathError();
    const keys = isObject(value) ? Object.keys(value) : [];
    const columns = keys.length === 0 ? undefined : flattenedColumns(member.name, keys);
    if (columns === undefined) {
      if (member.column === -1) return -1;
      const [bytes, json] = [this.bytes.slice(start, after), encoder.encode(jsonText(value))];
      member.last = { bytes, json };
      this.place(row + member.column, start, this.write(start, after, json));
      return after;
    }
    member.flattened = columns.map((name, i) => [quoted(keys[i]!), this.names.indexOf(name)]);
    if (member.flattened.some(([, column]) => column === -1)) return -1;
    const end = this.readMembers(row, member.flattened, start);
    // A name that occurs twice, or that an object does not keep in its order.
    if (end === -1) throw new FastPathError();
    return end;
  }

  /** Reads the members of an object that has these. Returns where it ends; -1, with nothing read, if it has others. */
  private readMembers(row: number, inside: MemberName["flattened"], start: number): number {
    let at = start;
    for (const [i, [name, column]] of inside.entries()) {
      at = this.after(at + 1);
      if (column === -1 || !this.isAt(at, name)) return this.undo(row, inside.slice(0, i));
      at = this.after(this.readValue(row + column, this.colonEnd(at + name.length)));
      if (this.bytes[at] !== (i === inside.length - 1 ? CLOSE : COMMA))
        return this.undo(row, inside.slice(0, i + 1));
    }
    return inside.length === 0 ? -1 : at + 1;
  }

  private undo(row: number, inside: MemberName["flattened"]): -1 {
    for (const [, column] of inside) this.ends[row + column] = 0;
    return -1;
  }

  /** Where the value of a member begins whose name ends here. */
  private colonEnd(start: number): number {
    const at = this.after(start);
    if (this.bytes[at] !== COLON) throw new FastPathError();
    return this.after(at + 1);
  }

  /** Where the next byte is that is not a space. */
  private after(start: number): number {
    const { bytes } = this;
    let at = start;
    for (let byte = bytes[at]; byte === SPACE || byte === TAB || byte === RETURN; ) byte = bytes[++at];
    return at;
  }

  /** The index of the member named at a place: mostly `next`; -1 if there is none. */
  private memberAt(at: number, next: number): number {
    const { members } = this;
    for (let i = 0; i < members.length; i++) {
      const index = next + i < members.length ? next + i : next + i - members.length;
      if (this.isAt(at, members[index]!.quoted)) return index;
    }
    return -1;
  }

  private isAt(at: number, expected: Uint8Array): boolean {
    const { bytes } = this;
    for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false;
    return true;
  }

  /** Adds the names of an object's members, and their columns, that are not known. */
  private addNames(start: number): void {
    const { bytes, members, names } = this;
    const known = members.length + names.length;
    const record = this.parsed(start, bytes.indexOf(NEWLINE, start)) as JsonObject;
    const own = new Set(members.map(({ name }) => name));
    for (const name of Object.keys(record)) {
      if (UNORDERED.test(name)) throw new FastPathError();
      if (own.has(name)) continue;
      members.push({ name, quoted: quoted(name), column: -1, flattened: [], last: undefined });
    }
    const columns = new Set(names);
    names.push(...Object.keys(flattenedRecord(record)).filter((name) => !columns.has(name)));
    // A name in unexpected notation is found here, but not in the bytes.
    const found = members.filter(({ column }) => column === -1);
    for (const member of found) member.column = names.indexOf(member.name);
    const isNew = members.length + names.length > known || found.some(({ column }) => column !== -1);
    if (!isNew || names.length > MOST_COLUMNS) throw new FastPathError();
  }

  /** Where a value ends; negative if it is not, or may not be, as `jsonText` writes it. */
  private valueEnd(start: number): number {
    const { bytes } = this;
    const first = bytes[start]!;
    let at = start + 1;
    if (first === QUOTE) {
      let isOther = false;
      for (let byte = bytes[at]!; byte !== QUOTE; byte = bytes[++at]!) {
        if (byte < SPACE) throw new FastPathError();
        if (byte !== BACKSLASH) continue;
        const escaped = bytes[++at]!;
        if (escaped === LETTER_U || escaped === SLASH) isOther = true;
        else if (!ESCAPED.has(escaped)) throw new FastPathError();
      }
      return isOther ? -(at + 1) : at + 1;
    }
    if (first === MINUS || (first >= ZERO && first <= NINE)) {
      if (first === MINUS) at++;
      if (bytes[at - 1] !== ZERO) at = this.digitsEnd(at - 1);
      if (bytes[at] === DOT) at = this.digitsEnd(at + 1);
      if ((bytes[at]! | 0x20) === LETTER_E) {
        const sign = bytes[at + 1];
        at = this.digitsEnd(sign === PLUS || sign === MINUS ? at + 2 : at + 1);
      }
      return at;
    }
    if (first === OPEN || first === OPEN_LIST) return -this.nestedEnd(start);
    for (const word of WORDS) if (this.isAt(start, word)) return start + word.length;
    throw new FastPathError();
  }

  /** Where a list or object ends. What is in it is not checked. */
  private nestedEnd(start: number): number {
    const { bytes } = this;
    for (let at = start, depth = 0; ; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) at = Math.abs(this.valueEnd(at)) - 1;
      else if (byte === OPEN || byte === OPEN_LIST) depth++;
      else if (byte === NEWLINE) throw new FastPathError();
      else if ((byte === CLOSE || byte === CLOSE_LIST) && --depth === 0) return at + 1;
    }
  }

  private digitsEnd(start: number): number {
    const { bytes } = this;
    let at = start;
    while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
    if (at === start) throw new FastPathError();
    return at;
  }

  private parsed(start: number, end: number): Json {
    let value: Json;
    try {
      value = parseJson(decoder.decode(this.bytes.subarray(start, end)));
    } catch {
      throw new FastPathError();
    }
    if (nestsDeeper(value, DEEPEST - 2)) throw new FastPathError();
    return value;
  }

  /** Rewrites a text or nested value as `jsonText` writes it, which is never longer. Returns where it ends. */
  private rewritten(start: number, end: number): number {
    if (this.bytes[start] !== QUOTE)
      return this.write(start, end, encoder.encode(jsonText(this.parsed(start, end))));
    const to = rewriteEscapes(this.bytes, start, end);
    if (to === -1) throw new FastPathError();
    this.bytes.fill(SPACE, to, end);
    return to;
  }

  /** Writes the JSON of a value in its place, with spaces after it. Returns where it ends. */
  private write(start: number, end: number, json: Uint8Array): number {
    const to = start + json.length;
    if (to === end && this.isAt(start, json)) return to;
    if (to > end) throw new FastPathError();
    copyBytes(json, 0, json.length, this.bytes, start);
    this.bytes.fill(SPACE, to, end);
    return to;
  }

  private reserve(cells: number): void {
    if (cells <= this.starts.length) return;
    const length = Math.max(cells, this.starts.length * 2, 1024);
    [this.starts, this.ends] = [grown(this.starts, length), grown(this.ends, length)];
  }
}

/** Characters that may follow a backslash in a text that `JSON.stringify` writes the same way. */
const ESCAPED: ReadonlySet<number> = new Set(encoder.encode('"\\bfnrt'));

function quoted(name: string): Uint8Array {
  return encoder.encode(JSON.stringify(name));
}
