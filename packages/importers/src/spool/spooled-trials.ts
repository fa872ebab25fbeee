// Records of a spool: the parts of a trial as JSON in UTF-8, and the JSON of a row, each after a header of 32-bit numbers.

import { copyBytes } from "../collections/byte-writer.ts";
import type { Spool, SpoolStream } from "./spool.ts";

/** The parts of a trial, in order. All are JSON, and empty if the trial does not have them. */
export const PART = {
  output: 0,
  /** As in the file. */
  scores: 1,
  attributes: 2,
  latency: 3,
  tokens: 4,
  error: 5,
} as const;

const PARTS = 6;
/** The bytes of a trial's header: the first three numbers of `TrialRecord`, and the length of each part. */
const HEADER = 4 * (3 + PARTS);

/** A trial to spool. */
export interface TrialRecord {
  /** The number of its row's digest. */
  readonly digest: number;
  /** The number of the trial among those of its row, from 0. */
  readonly repetition: number;
  /** The number of its scores among different ones in its evaluation; -1 if they are not numbered. */
  readonly scores: number;
  /** Where its parts begin and end in `bytes`. */
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Adds a trial to a stream. */
export function spoolTrial(spool: Spool, stream: SpoolStream, trial: TrialRecord): void {
  const { bytes, starts, ends } = trial;
  let length = HEADER;
  for (let part = 0; part < PARTS; part++) length += ends[part]! - starts[part]!;
  let at = spool.add(stream, length);
  const { open } = stream;
  at = putNumber(open, at, trial.digest);
  at = putNumber(open, at, trial.repetition);
  at = putNumber(open, at, trial.scores + 1);
  for (let part = 0; part < PARTS; part++) at = putNumber(open, at, ends[part]! - starts[part]!);
  for (let part = 0; part < PARTS; part++) {
    copyBytes(bytes, starts[part]!, ends[part]!, open, at);
    at += ends[part]! - starts[part]!;
  }
}

function putNumber(to: Uint8Array, at: number, number: number): number {
  to[at] = number;
  to[at + 1] = number >>> 8;
  to[at + 2] = number >>> 16;
  to[at + 3] = number >>> 24;
  return at + 4;
}

/** Reads trials one after the other. */
export class SpooledTrials {
  readonly bytes: Uint8Array;
  /** The numbers of the trial (`TrialRecord`). */
  digest = 0;
  repetition = 0;
  scores: number = -1;
  /** Where each part of the trial begins, and where the last one ends. */
  readonly starts: Uint32Array = new Uint32Array(PARTS + 1);
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Moves to the next trial. Returns whether there is one. */
  next(): boolean {
    const { bytes, starts, view } = this;
    const at = starts[PARTS]!;
    if (at === bytes.length) return false;
    this.digest = view.getUint32(at, true);
    this.repetition = view.getUint32(at + 4, true);
    this.scores = view.getUint32(at + 8, true) - 1;
    starts[0] = at + HEADER;
    for (let part = 0; part < PARTS; part++)
      starts[part + 1] = starts[part]! + view.getUint32(at + 12 + 4 * part, true);
    return true;
  }

  /** Whether the trial has a part. */
  has(part: number): boolean {
    return this.lengthOf(part) > 0;
  }

  /** The length of a part in bytes. */
  lengthOf(part: number): number {
    return this.starts[part + 1]! - this.starts[part]!;
  }

  /** A part that is a number; null if it is missing or not representable in JSON. */
  number(part: number): number | null {
    return this.has(part) ? (JSON.parse(this.text(part)) as number | null) : null;
  }

  /** A part as text. */
  text(part: number): string {
    return decoder.decode(this.bytes.subarray(this.starts[part], this.starts[part + 1]));
  }
}

/** Adds the JSON of a row to a stream. */
export function spoolRow(
  spool: Spool,
  stream: SpoolStream,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  const at = spool.add(stream, 4 + end - start);
  copyBytes(bytes, start, end, stream.open, putNumber(stream.open, at, end - start));
}

/** Where the JSON of each row begins and ends in some bytes of a stream. */
export function* spooledRows(bytes: Uint8Array): Generator<readonly [start: number, end: number]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const start = at + 4;
    at = start + view.getUint32(at, true);
    yield [start, at];
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
