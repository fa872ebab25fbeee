// A trial as JSON in UTF-8, member by member: its evaluation's id is made of these bytes, and some of them are held until
// they are written.

import { bytesDigest } from "@assay/calls/internal";
import { ByteWriter } from "./byte-writer.ts";
import { beginHash, type Dictionary, hashBytes } from "./digest-table.ts";
import type { HeldLines, LineStream } from "./held-lines.ts";

/** The members of a trial that are held, in the order in which they are. */
const HELD = ["output", "scores", "attributes", "latencySeconds", "totalTokens", "error"] as const;
/** Those that tell its row. */
export const ROW = ["row", "rowKey", "rowDigest"] as const;
/** The name of a trial's member. */
export type Member = (typeof HELD | typeof ROW)[number] | "evaluation" | "repetition";
const MEMBERS: readonly Member[] = [...HELD, ...ROW, "evaluation", "repetition"];

/** Where a trial's members have their places in `starts` and `ends`. */
export const PLACE: Readonly<Record<Member, number>> = Object.fromEntries(
  MEMBERS.map((name, place) => [name, place]),
) as Record<Member, number>;
const OPENINGS: readonly Uint8Array[] = MEMBERS.map((name) => new TextEncoder().encode(`,"${name}":`));
/** Bytes of a digest, which stands before the trial. */
const DIGEST = 43;
const [OPEN, CLOSE] = [0x7b, 0x7d] as const;

/** The JSON of one trial after the other. */
export class TrialText extends ByteWriter {
  /** Where each member begins and ends; both 0 where the trial has none. */
  readonly starts: Uint32Array = new Uint32Array(MEMBERS.length);
  readonly ends: Uint32Array = new Uint32Array(MEMBERS.length);
  /** The object that was written, when it was one. */
  trial: Readonly<Partial<Record<Member, unknown>>> | undefined;

  /** Begins the next trial, behind the digest of those before it; empty of the first. */
  begin(chain: string): void {
    this.trial = undefined;
    this.starts.fill(0);
    this.ends.fill(0);
    this.size = DIGEST - chain.length;
    this.text(chain);
  }

  /** Begins a member, whose JSON is written next. */
  open(place: number): void {
    const at = this.size;
    this.all(OPENINGS[place]!);
    if (at === DIGEST) this.bytes[at] = OPEN;
    this.starts[place] = this.size;
  }

  /** Ends the member. */
  close(place: number): void {
    this.ends[place] = this.size;
  }

  /** Writes a member that is the same as in `before`. */
  copyMember(place: number, before: TrialText): void {
    this.open(place);
    this.copy(before.bytes, before.starts[place]!, before.ends[place]!);
    this.close(place);
  }

  /** Ends the trial. Gives the digest of it and of those before it. */
  end(isFirst: boolean): string {
    this.byte(CLOSE);
    return bytesDigest(this.bytes.subarray(isFirst ? DIGEST : 0, this.size));
  }

  /** The ordinal of the row, by what tells it. */
  rowIn(rows: Dictionary): number {
    beginHash();
    for (let i = HELD.length; i < HELD.length + ROW.length; i++)
      hashBytes(this.bytes, this.starts[i]!, this.ends[i]!);
    return rows.ofHashed();
  }

  /** Adds what is held of the trial to lines: a line for each part (`HeldTrial`). */
  hold(lines: HeldLines, stream: LineStream, digest: string, repetition: number): void {
    const start = this.size;
    this.text(digest);
    this.newline();
    this.text(String(repetition));
    this.newline();
    for (let place = 0; place < HELD.length; place++) {
      this.copy(this.bytes, this.starts[place]!, this.ends[place]!);
      this.newline();
    }
    lines.add(stream, this.bytes, start, this.size);
  }

  /** Adds what is held of its row: the digest and the JSON of the row. */
  holdRow(lines: HeldLines, stream: LineStream, digest: string): void {
    const start = this.size;
    this.text(digest);
    this.newline();
    this.copy(this.bytes, this.starts[PLACE.row]!, this.ends[PLACE.row]!);
    this.newline();
    lines.add(stream, this.bytes, start, this.size);
  }
}
