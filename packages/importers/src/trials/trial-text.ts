// A trial as JSON in UTF-8, member by member. Its evaluation's id is computed from these bytes, and some of them are
// spooled until they are written.

import { DIGEST_LENGTH as DIGEST, writeDigest } from "@assay/calls/internal";
import { ByteWriter } from "../collections/byte-writer.ts";
import { beginHash, type Dictionary, hashBytes } from "../collections/digest-table.ts";

/** The members of a trial that are spooled, in order (`PART`). */
const SPOOLED = ["output", "scores", "attributes", "latencySeconds", "totalTokens", "error"] as const;
/** The members that identify its row. */
export const ROW = ["row", "rowKey", "rowDigest"] as const;
/** The name of a trial's member. */
export type Member = (typeof SPOOLED | typeof ROW)[number] | "evaluation" | "repetition";
const MEMBERS: readonly Member[] = [...SPOOLED, ...ROW, "evaluation", "repetition"];

/** The index of each member in `starts` and `ends`. */
export const PLACE: Readonly<Record<Member, number>> = Object.fromEntries(
  MEMBERS.map((name, place) => [name, place]),
) as Record<Member, number>;
const OPENINGS: readonly Uint8Array[] = MEMBERS.map((name) => new TextEncoder().encode(`,"${name}":`));
const [OPEN, CLOSE] = [0x7b, 0x7d] as const;

/** The JSON of one trial after the other. */
export class TrialText extends ByteWriter {
  /** Where each member begins and ends; both 0 if the trial does not have it. */
  readonly starts: Uint32Array = new Uint32Array(MEMBERS.length);
  readonly ends: Uint32Array = new Uint32Array(MEMBERS.length);
  /** The object that was written, if it was one. */
  trial: Readonly<Partial<Record<Member, unknown>>> | undefined;

  /** Begins the next trial, after the digest of the previous ones. */
  begin(chain: Uint8Array): void {
    this.trial = undefined;
    const { starts, ends } = this;
    // A loop, since so few numbers take longer to fill.
    for (let place = 0; place < starts.length; place++) starts[place] = ends[place] = 0;
    this.size = 0;
    this.write(chain);
  }

  /** Begins a member. Write its JSON next. */
  open(place: number): void {
    const at = this.size;
    this.write(OPENINGS[place]!);
    if (at === DIGEST) this.bytes[at] = OPEN;
    this.starts[place] = this.size;
  }

  /** Ends the member. */
  close(place: number): void {
    this.ends[place] = this.size;
  }

  /** Copies a member from the trial before. */
  copyMember(place: number, before: TrialText): void {
    this.open(place);
    this.copy(before.bytes, before.starts[place]!, before.ends[place]!);
    this.close(place);
  }

  /** Ends the trial. Replaces the digest of the previous trials, if there are any, with that of them and this one. */
  end(chain: Uint8Array, isFirst: boolean): void {
    this.byte(CLOSE);
    writeDigest(this.bytes.subarray(isFirst ? DIGEST : 0, this.size), chain);
  }

  /** The ordinal of its row, by the row's identity. */
  rowIn(rows: Dictionary): number {
    beginHash();
    for (let i = SPOOLED.length; i < SPOOLED.length + ROW.length; i++)
      hashBytes(this.bytes, this.starts[i]!, this.ends[i]!);
    return rows.ofHashed();
  }
}
