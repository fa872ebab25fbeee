// A trial held until it is written: its parts as JSON in UTF-8 without line breaks, one per line.

/** The parts of a trial, in order. All but the first two are JSON, and empty if the trial does not have them. */
export const PART = {
  /** The digest of its row. */
  digest: 0,
  /** The number of the trial among those of its row, from 0. */
  repetition: 1,
  output: 2,
  /** As in the file. */
  scores: 3,
  attributes: 4,
  latency: 5,
  tokens: 6,
  error: 7,
} as const;

const PARTS = 8;
const [NEWLINE, ZERO] = [0x0a, 0x30] as const;

/** Reads the parts of trials one after the other, from lines written by `TrialText.hold`. */
export class HeldTrials {
  readonly bytes: Uint8Array;
  /** Where each part of the trial begins, and where the last one ends. */
  readonly starts: Uint32Array = new Uint32Array(PARTS + 1);

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Moves to the next trial. Returns whether there is one. */
  next(): boolean {
    const { bytes, starts } = this;
    let at = starts[PARTS]!;
    if (at === bytes.length) return false;
    for (let part = 0; part < PARTS; part++) {
      starts[part] = at;
      at = bytes.indexOf(NEWLINE, at) + 1;
    }
    starts[PARTS] = at;
    return true;
  }

  /** Where a part ends. */
  endOf(part: number): number {
    return this.starts[part + 1]! - 1;
  }

  /** Whether the trial has a part. */
  has(part: number): boolean {
    return this.endOf(part) > this.starts[part]!;
  }

  /** A part that is a number; null if it is missing or not representable in JSON. */
  number(part: number): number | null {
    const [start, end] = [this.starts[part]!, this.endOf(part)];
    // Most are one digit: the number of the trial among those of its row.
    if (end === start + 1) return this.bytes[start]! - ZERO;
    return end === start ? null : (JSON.parse(this.text(part)) as number | null);
  }

  /** A part as text. */
  text(part: number): string {
    return decoder.decode(this.bytes.subarray(this.starts[part]!, this.endOf(part)));
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
