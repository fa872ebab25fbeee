// Reads JSON lines as the bytes of their values, if each line is an object of texts, numbers, booleans and nulls.

import { joinedBytes } from "../byte-writer.ts";
import type { ImportFile } from "../import-file.ts";
import { pieces } from "../pieces.ts";
import { type CellRows, type Cells, isUtf8, NotPlain } from "./plain-cells.ts";

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x5c] as const;
const [PLUS, COMMA, MINUS, DOT, SLASH, ZERO, NINE, COLON] = [
  ...[0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x30, 0x39, 0x3a],
] as [number, number, number, number, number, number, number, number];
const [OPEN, CLOSE, LETTER_E, LETTER_U] = [0x7b, 0x7d, 0x65, 0x75] as const;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const WORDS: readonly Uint8Array[] = ["null", "true", "false"].map((word) => encoder.encode(word));
/** Wider tables, and longer lines, are read as records. */
const [MOST_COLUMNS, LONGEST_LINE] = [256, 4 * 1024 * 1024] as const;
/** The most cells of a batch. */
const MOST_CELLS = 1024 * 1024;
/** Names that objects do not keep in their order. */
export const UNORDERED: RegExp = /^\d+$|^__proto__$/;

/** The values of a file of JSON lines, in batches of lines. Adds the names of new columns. Throws `NotPlain`. */
export async function* jsonRows(
  file: ImportFile,
  names: string[],
  isChecked: boolean,
): AsyncGenerator<CellRows> {
  const splitter = new JsonSplitter(names);
  const rowsIn = function* (bytes: Uint8Array): Generator<CellRows> {
    if (!isChecked && !isUtf8(bytes)) throw new NotPlain();
    splitter.begin(bytes);
    while (splitter.split()) {
      const { bytes: own, rows: count } = splitter;
      if (count > 0) yield { bytes: own, cells: splitter, first: 0, count };
    }
  };
  let rest: Uint8Array = new Uint8Array(0);
  for await (const piece of pieces(file)) {
    const bytes = rest.length === 0 ? piece : joinedBytes([rest, piece]);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    yield* rowsIn(bytes.subarray(0, end));
    // A copy: the next piece may reuse the memory.
    rest = bytes.slice(end);
    if (rest.length > LONGEST_LINE) throw new NotPlain();
  }
  yield* rowsIn(joinedBytes([rest, Uint8Array.of(NEWLINE)]));
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
  private readonly names: string[];
  /** The quoted names. */
  private readonly quoted: Uint8Array[];
  private at = 0;
  /** Whether the bytes are a copy, which may be changed. */
  private isOwn = false;

  constructor(names: string[]) {
    this.names = names;
    this.quoted = names.map(quotedName);
  }

  /** Begins with these bytes, which end with a line. */
  begin(bytes: Uint8Array): void {
    [this.bytes, this.at, this.isOwn] = [bytes, 0, false];
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
        if (this.bytes[start] !== OPEN) throw new NotPlain();
        if ((this.rows + 1) * this.quoted.length > MOST_CELLS) break;
        const end = this.takeRow(start);
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
  private takeRow(start: number): number {
    const columns = this.quoted.length;
    const cell = this.rows * columns;
    this.reserve(cell + columns);
    const { bytes, starts, ends } = this;
    for (let i = cell; i < cell + columns; i++) {
      starts[i] = 0;
      ends[i] = 0;
    }
    let at = this.after(start + 1);
    let next = 0;
    if (bytes[at] === CLOSE) at++;
    else {
      for (;;) {
        const column = this.columnAt(at, next);
        if (column === -1) return -1;
        at = this.after(at + this.quoted[column]!.length);
        if (bytes[at] !== COLON || ends[cell + column] !== 0) throw new NotPlain();
        at = this.after(at + 1);
        const end = this.valueEnd(at);
        starts[cell + column] = at;
        ends[cell + column] = end < 0 ? this.normalise(at, -end) : end;
        at = this.after(Math.abs(end));
        next = column + 1;
        const byte = this.bytes[at++];
        if (byte === CLOSE) break;
        if (byte !== COMMA) throw new NotPlain();
        at = this.after(at);
      }
    }
    at = this.after(at);
    if (this.bytes[at] !== NEWLINE) throw new NotPlain();
    return at + 1;
  }

  /** Where the next byte is that is not a space. */
  private after(start: number): number {
    const { bytes } = this;
    let at = start;
    for (let byte = bytes[at]; byte === SPACE || byte === TAB || byte === RETURN; ) byte = bytes[++at];
    return at;
  }

  /** The column named at a place: mostly `next`; -1 if there is none. */
  private columnAt(at: number, next: number): number {
    const { quoted } = this;
    for (let i = 0; i < quoted.length; i++) {
      const column = next + i < quoted.length ? next + i : next + i - quoted.length;
      if (this.isAt(at, quoted[column]!)) return column;
    }
    return -1;
  }

  private isAt(at: number, expected: Uint8Array): boolean {
    const { bytes } = this;
    for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false;
    return true;
  }

  /** Adds the names of an object's members that are not known. */
  private addNames(start: number): void {
    const { bytes } = this;
    const line = decoder.decode(bytes.subarray(start, bytes.indexOf(NEWLINE, start)));
    let record: object;
    try {
      record = JSON.parse(line) as object;
    } catch {
      throw new NotPlain();
    }
    const known = new Set(this.names);
    const added = Object.keys(record).filter((name) => !known.has(name));
    // A name that is not written as expected is found here, but not in the bytes.
    if (added.length === 0 || added.some((name) => UNORDERED.test(name))) throw new NotPlain();
    if (known.size + added.length > MOST_COLUMNS) throw new NotPlain();
    this.names.push(...added);
    this.quoted.push(...added.map(quotedName));
  }

  /** Where a value ends; negative if it is a text that `JSON.stringify` writes otherwise. */
  private valueEnd(start: number): number {
    const { bytes } = this;
    const first = bytes[start]!;
    let at = start + 1;
    if (first === QUOTE) {
      let isOther = false;
      for (let byte = bytes[at]!; byte !== QUOTE; byte = bytes[++at]!) {
        if (byte < SPACE) throw new NotPlain();
        if (byte !== BACKSLASH) continue;
        const escaped = bytes[++at]!;
        if (escaped === LETTER_U || escaped === SLASH) isOther = true;
        else if (!ESCAPED.has(escaped)) throw new NotPlain();
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
    for (const word of WORDS) if (this.isAt(start, word)) return start + word.length;
    throw new NotPlain();
  }

  private digitsEnd(start: number): number {
    const { bytes } = this;
    let at = start;
    while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
    if (at === start) throw new NotPlain();
    return at;
  }

  /** Writes a text as `JSON.stringify` does, with spaces after it: that is never longer. Returns where it ends. */
  private normalise(start: number, end: number): number {
    if (!this.isOwn) [this.bytes, this.isOwn] = [this.bytes.slice(), true];
    const { bytes } = this;
    let text: string;
    try {
      text = JSON.parse(decoder.decode(bytes.subarray(start, end))) as string;
    } catch {
      throw new NotPlain();
    }
    const to = start + encoder.encodeInto(JSON.stringify(text), bytes.subarray(start, end)).written;
    bytes.fill(SPACE, to, end);
    return to;
  }

  private reserve(cells: number): void {
    if (cells <= this.starts.length) return;
    [this.starts, this.ends] = [grown(this.starts, cells), grown(this.ends, cells)];
  }
}

/** What may follow a backslash in a text that `JSON.stringify` writes the same way. */
const ESCAPED: ReadonlySet<number> = new Set(encoder.encode('"\\bfnrt'));

function quotedName(name: string): Uint8Array {
  return encoder.encode(JSON.stringify(name));
}

function grown(array: Uint32Array, length: number): Uint32Array {
  const longer = new Uint32Array(Math.max(length, array.length * 2, 1024));
  longer.set(array);
  return longer;
}
