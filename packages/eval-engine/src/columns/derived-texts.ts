// Texts that are created when they are read, from data in memory or in a file. Texts added later are in memory.

import type { NumberedIds } from "@assay/calls/internal";
import type { Work } from "../kernels/work.ts";
import { decode, pickTexts, type TextList, type TextScan, Texts } from "./texts.ts";

/** Makes texts; it never changes. */
export interface TextSource {
  /** The number of texts. */
  readonly length: number;
  /** Approximate bytes that only this source holds. */
  readonly size: number;
  /** The UTF-8 bytes of text `i`, valid until the next call. */
  bytesOf(i: number): Uint8Array;
  /** Their number. */
  lengthOf(i: number): number;
  /** Reads all texts in order; needed only if they are not in memory. */
  scan?(): { ahead(i: number): Promise<void> | undefined; bytesOf(i: number): Uint8Array };
}

/** The texts of a source, and those added later. */
export class DerivedTexts implements TextList {
  readonly source: TextSource;
  private readonly added: Texts;

  constructor(source: TextSource, added: Texts = new Texts(new Uint8Array(0), new Uint32Array(0))) {
    this.source = source;
    this.added = added;
  }

  get length(): number {
    return this.source.length + this.added.length;
  }

  get size(): number {
    return this.source.size + this.added.size;
  }

  push(text: string): void {
    this.added.push(text);
  }

  get(i: number): string {
    const bytes = this.bytesOf(i);
    return decode(bytes, 0, bytes.length);
  }

  bytesOf(i: number): Uint8Array {
    const { source, added } = this;
    return i < source.length ? source.bytesOf(i) : added.bytesOf(i - source.length);
  }

  lengthOf(i: number): number {
    const { source, added } = this;
    return i < source.length ? source.lengthOf(i) : added.lengthOf(i - source.length);
  }

  scan(): TextScan {
    const { source } = this;
    const scan = source.scan?.();
    const bytesOf = (i: number): Uint8Array =>
      scan === undefined || i >= source.length ? this.bytesOf(i) : scan.bytesOf(i);
    return {
      ahead: (i) => (i < source.length ? scan?.ahead(i) : undefined),
      bytesOf,
      get: (i) => {
        const bytes = bytesOf(i);
        return decode(bytes, 0, bytes.length);
      },
    };
  }

  pick(order: Uint32Array, work: Work): Promise<Texts> {
    return pickTexts(this, order, work);
  }

  continued(): DerivedTexts {
    return new DerivedTexts(this.source, this.added.continued());
  }
}

/** Id `i`, from 0. */
export function numberedId({ prefix, first, digits }: NumberedIds, i: number): string {
  return prefix + String(first + i).padStart(digits, "0");
}

/** Numbered ids in an order. */
export class NumberedTexts implements TextSource {
  readonly size = 0;
  private readonly ids: NumberedIds;
  private readonly order: Uint32Array;
  private readonly prefix: Uint8Array;
  /** The first number with more digits than are filled up. */
  private readonly full: number;
  /** The text that was read last, whose memory is used for the next. */
  private made: Uint8Array = new Uint8Array(0);

  constructor(ids: NumberedIds, order: Uint32Array) {
    this.ids = ids;
    this.order = order;
    this.full = 10 ** ids.digits;
    const texts = new Texts();
    texts.push(ids.prefix);
    this.prefix = texts.bytesOf(0);
  }

  get length(): number {
    return this.order.length;
  }

  bytesOf(i: number): Uint8Array {
    const { prefix, ids, order } = this;
    const length = this.lengthOf(i);
    if (this.made.length !== length) {
      this.made = new Uint8Array(length);
      this.made.set(prefix);
    }
    const { made } = this;
    let number = ids.first + order[i]!;
    for (let at = length - 1; at >= prefix.length; at--) {
      const rest = Math.floor(number / 10);
      made[at] = ZERO + number - rest * 10;
      number = rest;
    }
    return made;
  }

  lengthOf(i: number): number {
    const { prefix, ids, order, full } = this;
    const number = ids.first + order[i]!;
    // Nearly all numbers have at most this many digits.
    if (number < full) return prefix.length + ids.digits;
    return prefix.length + String(number).length;
  }
}

const ZERO = 0x30;
