// A trial held until it is written: its parts as JSON in UTF-8 without line breaks, one per line.

/** The parts of a trial, in their order. All but the first two are JSON, and empty where the trial has none. */
export const PART = {
  /** The digest of its row. */
  digest: 0,
  /** Which of its row it is, from 0. */
  repetition: 1,
  output: 2,
  /** As the file has them. */
  scores: 3,
  attributes: 4,
  latency: 5,
  tokens: 6,
  error: 7,
} as const;

const PARTS = 8;
const [NEWLINE, ZERO] = [0x0a, 0x30] as const;

/** The parts of one trial after the other, in lines of `TrialText.hold`. */
export class HeldTrials {
  readonly bytes: Uint8Array;
  /** Where each part of the trial begins; and behind its last one. */
  readonly starts: Uint32Array = new Uint32Array(PARTS + 1);

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Goes on to the next trial; whether there is one. */
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

  /** A part that is a number; null where there is none, or one that JSON has not. */
  number(part: number): number | null {
    const [start, end] = [this.starts[part]!, this.endOf(part)];
    // Most are one digit: which of its row a trial is.
    if (end === start + 1) return this.bytes[start]! - ZERO;
    return end === start ? null : (JSON.parse(this.text(part)) as number | null);
  }

  /** A part as text. */
  text(part: number): string {
    return decoder.decode(this.bytes.subarray(this.starts[part]!, this.endOf(part)));
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
