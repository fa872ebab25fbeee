// A table's column as codes: four bytes for each record, and a few for each different value. The roles of columns are
// decided at the end, from the codes.

import type { Json } from "@assay/base";
import { parseJson } from "@assay/base/internal";
import { Dictionary } from "../collections/digest-table.ts";
import { PagedArray } from "../collections/paged-array.ts";
import { at, isObject, type JsonObject, textAt } from "../json/json-text.ts";
import { meaningsOf, noCounts } from "../scores/score-values.ts";
import { parseText } from "../scores/score-words.ts";
import { isLostObject } from "./cells/lost-object.ts";
import type { ColumnProfile } from "./columns/column-profile.ts";

/** Values that count the same, and one of them. */
interface ValueType {
  readonly value: Json;
  readonly isWhole: boolean;
}

/** The longest text that may be a word or number, and the maximum of examples. */
const [LONGEST_PARSED, EXAMPLES] = [40, 3] as const;
/** The type of missing values, and the code of an absent one. */
const MISSING = 0;
const [NEWLINE, RETURN, QUOTE, BACKSLASH] = [0x0a, 0x0d, 0x22, 0x5c] as const;
const [LETTER_N, LETTER_R, LETTER_U] = [0x6e, 0x72, 0x75] as const;
/** How many codes have their text remembered. */
const REMEMBERED = 16_384;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of a cell. */
export function cellText(bytes: Uint8Array, start: number, end: number, isDoubled: boolean): string {
  const text = decoder.decode(bytes.subarray(start, end));
  return isDoubled ? text.replaceAll('""', '"') : text;
}

/** The source of a column: cells of a delimited table, or the JSON of values. */
type ColumnForm = "cells" | "json";

/** A column while it is read. */
export class EncodedColumn {
  readonly name: string;
  /** The index of its cell in a row. */
  readonly place: number;
  private readonly form: ColumnForm;
  /** The code of each record's value; may be shorter than the table until it is finished. */
  readonly codes: PagedArray = new PagedArray();
  private values = new Dictionary();
  /** By code: the value's index in `types`, and its length. */
  private readonly typeAt = new PagedArray();
  private lengths = new PagedArray();
  /** The codes to use in row keys and as evaluation names, if they differ from the value's code. */
  private readonly keys = new Map<number, number>();
  private readonly names = new Map<number, number>();
  /**
   * The codes of numbers in JavaScript's notation and of cells with doubled quotes, by the code of another notation of
   * the same value.
   */
  private readonly canonical = new Map<number, number>();
  private readonly types: ValueType[] = [{ value: null, isWhole: false }];
  private readonly typeByName = new Map<string, number>();
  /** The first texts that are neither words nor numbers; and the texts of the first codes. */
  private readonly examples: (readonly [number, string])[] = [];
  private readonly texts: string[] = [];
  private hasLines = false;
  private smallest = Infinity;
  private largest = -Infinity;

  constructor(name: string, form: ColumnForm, place: number) {
    [this.name, this.form, this.place] = [name, form, place];
    this.typeAt.set(0, MISSING);
  }

  /** Adds a cell. */
  addCell(record: number, bytes: Uint8Array, start: number, end: number, isDoubled: boolean): void {
    const code = this.values.ofBytes(bytes, start, end) + 1;
    this.codes.set(record, code);
    if (code < this.typeAt.length || this.describeProse(code, bytes, start, end, isDoubled)) return;
    const text = cellText(bytes, start, end, isDoubled);
    if (!isDoubled && text.includes('"')) this.describeAs(code, this.codeOfText(text));
    else this.describe(code, text);
  }

  /** Adds the JSON of a value, as `jsonText` writes it. */
  addJson(record: number, bytes: Uint8Array, start: number, end: number): void {
    const first = bytes[start]!;
    const code = first === LETTER_N ? 0 : this.values.ofBytes(bytes, start, end) + 1;
    this.codes.set(record, code);
    if (code < this.typeAt.length) return;
    const isText = first === QUOTE;
    if (isText && this.describeProse(code, bytes, start + 1, end - 1, false)) return;
    const text = decoder.decode(bytes.subarray(start, end));
    if (isText) this.describe(code, JSON.parse(text) as string);
    else this.describeJson(code, text);
  }

  /** The text of a cell that was added before, by its code. */
  textOf(code: number, bytes: Uint8Array, start: number, end: number, isDoubled: boolean): string {
    return this.texts[code] ?? cellText(bytes, start, end, isDoubled);
  }

  /** Whether a code stands for a missing value. */
  isMissing(code: number): boolean {
    return this.typeAt.get(code) === MISSING;
  }

  /** Whether the column has values in another notation than the one that `canonicalOf` gives. */
  get hasNotations(): boolean {
    return this.canonical.size > 0;
  }

  /** The code that is the same for all notations of a value. */
  canonicalOf(code: number): number {
    return this.hasNotations ? (this.canonical.get(code) ?? code) : code;
  }

  /** Whether each value is its own key. */
  get areKeys(): boolean {
    return this.keys.size === 0;
  }

  /** The code to use for this value in a row's key; 0 for a missing value. */
  keyOf(code: number): number {
    return this.keys.get(code) ?? code;
  }

  /** The code of the evaluation name in this value; 0 for a missing value. */
  nameOf(code: number): number {
    return this.isMissing(code) ? 0 : (this.names.get(code) ?? code);
  }

  /** The number of codes. */
  get size(): number {
    return this.typeAt.length;
  }

  /** Ends the column of a table with this many records, and returns its profile. */
  finish(records: number): Omit<ColumnProfile, "isIndex" | "isJudged"> {
    const { codes, typeAt, lengths, types } = this;
    codes.extend(records);
    const times = new Float64Array(types.length);
    const occurs = new Uint8Array(typeAt.length);
    let [distinct, characters, longest] = [0, 0, 0];
    for (let i = 0; i < codes.length; i++) {
      const code = this.canonicalOf(codes.get(i));
      const type = typeAt.get(code);
      if (type === MISSING) continue;
      const length = lengths.get(code);
      times[type]!++;
      characters += length;
      if (occurs[code] === 1) continue;
      occurs[code] = 1;
      distinct++;
      if (length > longest) longest = length;
    }
    const counts = noCounts();
    let [filled, nested, whole, lost] = [0, 0, 0, 0];
    let firstNested: Json | undefined;
    for (const [type, { value, isWhole }] of types.entries()) {
      const count = times[type]!;
      if (count === 0) continue;
      filled += count;
      if (isWhole) whole += count;
      if (typeof value === "string" && isLostObject(value)) lost += count;
      if (typeof value === "object") [nested, firstNested] = [nested + count, firstNested ?? value];
      else meaningsOf(counts, value, "cells", count);
    }
    const examples = this.examples.flatMap(([code, text]) => (occurs[code] === 1 ? [text] : []));
    counts.examples.splice(0, EXAMPLES, ...examples.slice(0, EXAMPLES));
    const { name, hasLines, smallest, largest } = this;
    // Only codes are used from here on: the values of millions of records would take as much memory again.
    [this.values, this.lengths] = [new Dictionary(), new PagedArray()];
    const values = { filled, lost, nested, firstNested, whole, smallest, largest, distinct };
    return { name, counts, ...values, characters, longest, hasLines };
  }

  private codeOfText(text: string): number {
    const code = this.codeOfBytes(this.form === "cells" ? text.replaceAll('"', '""') : JSON.stringify(text));
    if (code >= this.typeAt.length) this.describe(code, text);
    return code;
  }

  private codeOfBytes(text: string): number {
    const bytes = encoder.encode(text);
    return this.values.ofBytes(bytes, 0, bytes.length) + 1;
  }

  /** Describes a value that is not a text by its JSON. */
  private describeJson(code: number, json: string): void {
    const holder = parseJson(`{"value":${json}}`) as JsonObject;
    const [value, spelling] = [holder["value"]!, at(holder, "value")!];
    const text = JSON.stringify(value);
    if (text === json || spelling !== value) {
      this.describe(code, value, spelling);
      return;
    }
    const canonical = this.codeOfBytes(text);
    if (canonical >= this.typeAt.length) this.describe(canonical, value);
    this.describeAs(code, canonical);
  }

  /** Describes a value in another notation than the one with a code. */
  private describeAs(code: number, canonical: number): void {
    this.canonical.set(code, canonical);
    for (const of of [this.typeAt, this.lengths]) of.set(code, of.get(canonical));
    this.keys.set(code, this.keyOf(canonical));
    this.names.set(code, this.nameOf(canonical));
  }

  /**
   * Describes a long text that begins with a letter, and so is neither word nor number; returns false for other texts.
   */
  private describeProse(
    code: number,
    bytes: Uint8Array,
    start: number,
    end: number,
    isDoubled: boolean,
  ): boolean {
    const [letter, type] = [bytes[start]! | 0x20, this.typeByName.get("string")];
    if (type === undefined || this.examples.length < EXAMPLES * 2) return false;
    if (end - start <= LONGEST_PARSED || letter < 0x61 || letter > 0x7a) return false;
    let [length, hasLines, hasReturns] = [0, false, false];
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!;
      if (byte < 0x20) {
        hasLines ||= byte === NEWLINE;
        hasReturns ||= byte === RETURN;
      } else if (byte >= 0x80) {
        // Four bytes are two UTF-16 units; a continuation byte is none.
        if (byte < 0xc0) continue;
        if (byte >= 0xf0) length++;
      } else if (byte === QUOTE) {
        if (!isDoubled) return false;
        i++;
      } else if (byte === BACKSLASH && this.form === "json") {
        const escaped = bytes[++i]!;
        hasLines ||= escaped === LETTER_N;
        hasReturns ||= escaped === LETTER_R;
        if (escaped === LETTER_U) i += 4;
      }
      length++;
    }
    if (length <= LONGEST_PARSED || hasReturns) return false;
    this.typeAt.set(code, type);
    this.lengths.set(code, length);
    this.hasLines ||= hasLines;
    return true;
  }

  /** Describes a new value. */
  private describe(code: number, value: Json, spelling: Json = value): void {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const type = this.typeOf(code, value, text);
    this.typeAt.set(code, type);
    this.lengths.set(code, text.length);
    if (type !== MISSING) this.hasLines ||= text.includes("\n");
    if (typeof value === "string") {
      if (text.length <= LONGEST_PARSED && code < REMEMBERED) this.texts[code] = text;
      if (text === "") this.keys.set(code, 0);
      else if (text.includes("\r\n")) this.keys.set(code, this.codeOfText(text.replaceAll("\r\n", "\n")));
    } else if (typeof value !== "object") {
      const key = this.codeOfText(String(spelling));
      this.keys.set(code, key);
      this.names.set(code, key);
    } else {
      const named = isObject(value) ? (textAt(value, "name") ?? textAt(value, "id")) : undefined;
      if (named !== undefined) this.names.set(code, this.codeOfText(named));
    }
  }

  private typeOf(code: number, value: Json, text: string): number {
    if (value === Infinity || value === -Infinity) return MISSING;
    let name: string = typeof value;
    if (typeof value === "number") {
      name += value === 0 || value === 1;
      this.extendBounds(value);
    }
    if (typeof value === "string") {
      const parsed = text.length > LONGEST_PARSED ? undefined : parseText(text);
      if (parsed?.isMissing === true) return MISSING;
      if (parsed?.number !== undefined) {
        const { point, comma, isFormatted } = parsed.number;
        const number = point ?? comma!;
        this.extendBounds(number);
        const either =
          comma === undefined ? "point" : point === undefined ? "comma" : String(point === comma);
        name += `${either} ${isFormatted} ${text.includes("%")} ${number === 0 || number === 1}`;
      } else if (parsed?.word !== undefined) name += `"${text.trim()}`;
      else if (isLostObject(text)) name += " lost";
      else if (this.examples.length < EXAMPLES * 2) this.examples.push([code, text]);
    }
    const isWhole = (typeof value === "string" || typeof value === "number") && isWholeNumber(value);
    name += isWhole ? " whole" : "";
    const known = this.typeByName.get(name);
    if (known !== undefined) return known;
    this.typeByName.set(name, this.types.length);
    return this.types.push({ value, isWhole }) - 1;
  }

  private extendBounds(number: number): void {
    this.smallest = Math.min(this.smallest, number);
    this.largest = Math.max(this.largest, number);
  }
}

function isWholeNumber(value: string | number): boolean {
  // A text that begins with a letter needs no check.
  return !(typeof value === "string" && /^[^\d\s+-]/.test(value)) && Number.isSafeInteger(Number(value));
}

/** Codes of pairs: equal for two records if both of their codes are. */
export function paired(a: Uint32Array, b: Uint32Array): Uint32Array {
  const [most, width] = [greatest(a) + 1, greatest(b) + 1];
  // Without looking pairs up if few of those that are possible do not occur, or if the first code implies the second.
  if (most * width <= a.length * 4) return a.map((code, i) => code * width + b[i]!);
  if (differing(a, b).count === 0) return a;
  const pairs = new Dictionary();
  const codes = new Uint32Array(a.length);
  for (let i = 0; i < a.length; i++) codes[i] = pairs.ofPair(a[i]!, b[i]!);
  return codes;
}

/** How many different codes the records that count have. */
export function countDifferent(codes: Uint32Array, counts: (record: number) => boolean): number {
  const seen = new Uint8Array(greatest(codes) + 1);
  let count = 0;
  for (let i = 0; i < codes.length; i++) {
    if (seen[codes[i]!] === 1 || !counts(i)) continue;
    seen[codes[i]!] = 1;
    count++;
  }
  return count;
}

function greatest(codes: Uint32Array): number {
  let most = 0;
  for (let i = 0; i < codes.length; i++) if (codes[i]! > most) most = codes[i]!;
  return most;
}

/**
 * Among the records that count, those whose value differs from that of their group's first record: the first of them,
 * and their number.
 */
export function differing(
  groups: Uint32Array,
  values: Uint32Array,
  counts: (record: number) => boolean = () => true,
): { readonly first: number; readonly count: number } {
  // For each group, its first value plus 1.
  const first = new PagedArray();
  let [firstOther, count] = [-1, 0];
  for (let i = 0; i < groups.length; i++) {
    if (!counts(i)) continue;
    const group = groups[i]!;
    first.extend(group + 1);
    const known = first.get(group);
    if (known === 0) first.set(group, values[i]! + 1);
    else if (known !== values[i]! + 1) {
      if (count === 0) firstOther = i;
      count++;
    }
  }
  return { first: firstOther, count };
}
