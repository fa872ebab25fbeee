// One JSON value per item (a trial or an example) as typed arrays: a tag, the value read as a number, and a code for
// its text in a dictionary. Queries compare values without parsing JSON again.

import type { Json } from "@assay/base";
import { type GrowableArray, growableBytes, growableFloats, growableIndexes } from "@assay/base/internal";
import { asNumber } from "@assay/query-lang";
import { asText } from "@assay/query-lang/internal";
import { TextDictionary } from "./text-dictionary.ts";

/** The kind of an item's value. */
export const TAG: {
  readonly null: 0;
  readonly false: 1;
  readonly true: 2;
  readonly number: 3;
  readonly text: 4;
  /** An object or array, kept as compact JSON text. */
  readonly json: 5;
} = { null: 0, false: 1, true: 2, number: 3, text: 4, json: 5 };

/** A growing column of JSON values. */
export class ValueColumn {
  readonly tags: GrowableArray<Uint8Array>;
  /** Index into `texts` for texts and JSON; -1 for the rest. */
  readonly codes: GrowableArray<Int32Array>;
  readonly texts: TextDictionary;
  private seen: number | undefined;
  private knownNumbers: GrowableArray<Float64Array> | undefined;
  private postings:
    | { readonly length: number; readonly starts: Uint32Array; readonly items: Uint32Array }
    | undefined;

  /** `numbers`: undefined if all items are booleans or null. `kinds`: computed on first use if undefined. */
  constructor(
    tags: GrowableArray<Uint8Array> = growableBytes(),
    numbers: GrowableArray<Float64Array> | undefined = undefined,
    codes: GrowableArray<Int32Array> = growableIndexes(),
    texts: TextDictionary = new TextDictionary(),
    kinds?: number,
  ) {
    this.tags = tags;
    this.knownNumbers = numbers;
    this.codes = codes;
    this.texts = texts;
    this.seen = kinds;
  }

  /**
   * The value read as a number (booleans are 1 and 0, numeric strings count); NaN if it has no such reading. Those of
   * booleans are made on first use.
   */
  get numbers(): GrowableArray<Float64Array> {
    if (this.knownNumbers === undefined) {
      const { array, length } = this.tags;
      const numbers = new Float64Array(length);
      for (let i = 0; i < length; i++) numbers[i] = BINARY[array[i]!]!;
      this.knownNumbers = growableFloats(numbers);
    }
    return this.knownNumbers;
  }

  /** The tags that items have, except null, as bits `1 << tag`: loops over columns of one kind need not check tags. */
  get kinds(): number {
    if (this.seen === undefined) {
      let seen = 0;
      // By index, because an iterator takes ten times as long for a million items.
      const { array, length } = this.tags;
      for (let i = 0; i < length; i++) seen |= 1 << array[i]!;
      this.seen = seen;
    }
    return this.seen & ~(1 << TAG.null);
  }

  /** Whether some item is a number. */
  get hasNumbers(): boolean {
    return (this.kinds & (1 << TAG.number)) !== 0;
  }

  /** Whether all items are numbers or null. */
  get isNumeric(): boolean {
    return this.kinds === 1 << TAG.number;
  }

  /** Whether all items are booleans or null: `numbers` are then 1 for true and 0 for false. */
  get isBinary(): boolean {
    return (this.kinds & ~((1 << TAG.false) | (1 << TAG.true))) === 0;
  }

  /** Sets item `i`; earlier items that were never set are null. */
  set(i: number, value: Json): void {
    this.postings = undefined;
    const tag = tagOf(value);
    this.tags.set(i, tag);
    if (this.seen !== undefined) this.seen |= 1 << tag;
    if (tag > TAG.true || this.knownNumbers !== undefined) this.numbers.set(i, asNumber(value) ?? Number.NaN);
    // Columns without text, which are most, never allocate codes.
    if (typeof value === "string" || (typeof value === "object" && value !== null))
      this.codes.set(i, this.texts.add(asText(value)!));
    else if (i < this.codes.length) this.codes.set(i, -1);
  }

  /** Makes the arrays cover `length` items, so that loops need no separate bounds checks. */
  extend(length: number): void {
    this.tags.extend(length);
    this.knownNumbers?.extend(length);
    if (this.texts.length > 0) this.codes.extend(length);
  }

  /**
   * The items by code, if texts repeat and nearly every item has one: where each code's items start (with one more
   * entry at the end), and the items. A condition on a category then only visits the items with it. Created on first
   * use; undefined if it would not pay off.
   */
  byCode(length: number): { readonly starts: Uint32Array; readonly items: Uint32Array } | undefined {
    if (this.postings?.length === length) return this.postings;
    if (this.texts.length === 0 || this.texts.length * 8 > length) return undefined;
    const codes = this.codes.array;
    const starts = new Uint32Array(this.texts.length + 1);
    for (let i = 0; i < length; i++) {
      // An item without text is in no list, so every condition must check it.
      if (codes[i] === -1) return undefined;
      starts[codes[i]! + 1]!++;
    }
    for (let code = 1; code < starts.length; code++) starts[code]! += starts[code - 1]!;
    const items = new Uint32Array(length);
    const next = starts.slice();
    for (let i = 0; i < length; i++) items[next[codes[i]!]!++] = i;
    this.postings = { length, starts, items };
    return this.postings;
  }

  get(i: number): Json {
    switch (this.tags.array[i]) {
      case TAG.false:
        return false;
      case TAG.true:
        return true;
      case TAG.number:
        return this.numbers.array[i]!;
      case TAG.text:
        return this.texts.get(this.codes.array[i]!);
      case TAG.json:
        return JSON.parse(this.texts.get(this.codes.array[i]!)) as Json;
      default:
        return null;
    }
  }

  /** The value read as text (docs/reference/semantics.md, "Comparing"), or null. */
  text(i: number): string | null {
    const tag = this.tags.array[i]!;
    if (tag === TAG.text || tag === TAG.json) return this.texts.get(this.codes.array[i]!);
    return asText(this.get(i));
  }

  pick(order: Uint32Array): ValueColumn {
    this.extend(order.length);
    const codes = this.texts.length > 0 ? this.codes.pick(order) : growableIndexes();
    return new ValueColumn(this.tags.pick(order), this.knownNumbers?.pick(order), codes, this.texts);
  }

  clone(): ValueColumn {
    return new ValueColumn(
      this.tags.clone(),
      this.knownNumbers?.clone(),
      this.codes.clone(),
      this.texts.clone(),
    );
  }

  /**
   * A continuation with the same values, to which more can be added. This column may still be read, but must get no
   * more values.
   */
  continued(): ValueColumn {
    return new ValueColumn(
      this.tags.continued(),
      this.knownNumbers?.continued(),
      this.codes.continued(),
      this.texts.clone(),
    );
  }

  /** Approximate bytes. */
  get size(): number {
    return (
      this.tags.array.byteLength +
      (this.knownNumbers?.array.byteLength ?? 0) +
      this.codes.array.byteLength +
      this.texts.size
    );
  }
}

/** The numbers of null, false and true, by tag. */
const BINARY: readonly number[] = [Number.NaN, 0, 1];

function tagOf(value: Json): number {
  if (value === null) return TAG.null;
  if (typeof value === "boolean") return value ? TAG.true : TAG.false;
  if (typeof value === "number") return TAG.number;
  return typeof value === "string" ? TAG.text : TAG.json;
}
