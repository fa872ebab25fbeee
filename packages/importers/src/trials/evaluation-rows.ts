// The rows of an evaluation, by the numbers of their digests in its unit. There are as many as trials, in every
// evaluation: while they are read they take some bytes each, and afterwards a few bits.

import { PagedArray, type PageType } from "../collections/paged-array.ts";
import type { UnitRows } from "./unit-rows.ts";

const LEAST_BITS = 6;
// The share of places in use at which the table grows.
const FULL = 0.7;

/** The rows of an evaluation while its trials are read. */
export class RowTally {
  /** The number of different digests. */
  size = 0;
  /** How many trials the row that was added last had before. */
  trialsBefore = 0;
  private readonly unit: UnitRows;
  private bits = LEAST_BITS;
  /** By hash of the digest's number: the first row with it plus 1, 0 for a free place; and the number of its trials. */
  private rows = zeros(LEAST_BITS, Uint32Array);
  private trials = zeros(LEAST_BITS, Uint8Array);

  constructor(unit: UnitRows) {
    this.unit = unit;
  }

  /** Counts a trial of a row. Returns the first row with the same digest, which may be this one. */
  add(row: number): number {
    if (this.size > this.rows.length * FULL) this.grow();
    const place = this.find(this.unit.digestNumber(row));
    this.trialsBefore = this.trials.get(place);
    if (this.trialsBefore === 0) {
      this.rows.set(place, row + 1);
      this.size++;
    }
    this.trials.set(place, this.trialsBefore + 1);
    return this.rows.get(place) - 1;
  }

  /** The rows that were added. */
  finish(): EvaluationRows {
    const rows = new Uint32Array(this.size);
    for (let place = 0, i = 0; i < rows.length; place++) {
      const row = this.rows.get(place);
      if (row > 0) rows[i++] = row - 1;
    }
    return new EvaluationRows(this.unit, rows);
  }

  /** The place of a digest, or the free place for it. */
  private find(digest: number): number {
    const { rows, unit, bits } = this;
    const mask = rows.length - 1;
    for (let place = Math.imul(digest, 0x9e3779b1) >>> (32 - bits); ; place = (place + 1) & mask) {
      const row = rows.get(place);
      if (row === 0 || unit.digestNumber(row - 1) === digest) return place;
    }
  }

  private grow(): void {
    const { rows, trials } = this;
    this.bits++;
    [this.rows, this.trials] = [zeros(this.bits, Uint32Array), zeros(this.bits, Uint8Array)];
    for (let from = 0; from < rows.length; from++) {
      const row = rows.get(from);
      if (row === 0) continue;
      const place = this.find(this.unit.digestNumber(row - 1));
      this.rows.set(place, row);
      this.trials.set(place, trials.get(from));
    }
  }
}

function zeros(bits: number, type: PageType): PagedArray {
  const array = new PagedArray(type);
  array.extend(2 ** bits);
  return array;
}

/** The rows of an evaluation. */
export class EvaluationRows {
  readonly size: number;
  private readonly unit: UnitRows;
  private readonly rows: NumberSet;
  private readonly digests: NumberSet;

  /** `rows`: the first one with each digest. */
  constructor(unit: UnitRows, rows: Uint32Array) {
    [this.unit, this.size] = [unit, rows.length];
    this.rows = new NumberSet(rows);
    this.digests = new NumberSet(rows.map((row) => unit.digestNumber(row)));
  }

  /** Whether it has this row, and no row with the same digest before it. */
  has(row: number): boolean {
    return this.rows.has(row);
  }

  /** How many digests the two share, counted up to `most`. */
  countCommon(other: EvaluationRows, most: number = Number.POSITIVE_INFINITY): number {
    if (other.size < this.size) return other.countCommon(this, most);
    const isSameUnit = this.unit === other.unit;
    const { digests: own } = this;
    const { digests: others } = other;
    const [from, to] = isSameUnit
      ? [Math.max(own.from, others.from), Math.min(own.to, others.to)]
      : [own.from, own.to];
    let count = 0;
    for (let digest = from; digest < to && count < most; digest++) {
      if (!own.has(digest)) continue;
      if (others.has(isSameUnit ? digest : other.unit.byDigest.knownOf(this.unit.byDigest, digest))) count++;
    }
    return count;
  }
}

/** Whole numbers: a bit for each between the least and the greatest. */
class NumberSet {
  readonly from: number;
  /** After the greatest. */
  readonly to: number;
  private readonly bits: Uint8Array;

  constructor(numbers: Uint32Array) {
    let [from, to] = [2 ** 32, 0];
    for (const number of numbers) {
      if (number < from) from = number;
      if (number >= to) to = number + 1;
    }
    [this.from, this.to] = [from, to];
    this.bits = new Uint8Array(Math.max(0, to - from + 7) >>> 3);
    for (const number of numbers) this.bits[(number - from) >>> 3]! |= 1 << ((number - from) & 7);
  }

  has(number: number): boolean {
    const at = number - this.from;
    return at >= 0 && number < this.to && (this.bits[at >>> 3]! & (1 << (at & 7))) !== 0;
  }
}
