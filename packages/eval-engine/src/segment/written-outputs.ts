// The outputs of written trials in an order. Only some of them are in memory at a time.

import type { WrittenTrials } from "@assay/calls";
import type { TextSource } from "../columns/derived-texts.ts";

/** How many bytes of outputs are in memory. */
const WINDOW = 32 * 1024 * 1024;

/** Outputs that can be read one after the other. */
export class WrittenOutputs implements TextSource {
  private readonly written: Pick<WrittenTrials, "writeOutputs">;
  private most: number;
  /** By trial. */
  private readonly lengths: Uint32Array;
  private readonly order: Uint32Array;
  /** The outputs in memory, and which of the order they are. */
  private window: Uint8Array = new Uint8Array(0);
  private from = 0;
  private to = 0;
  /** Where the output of a trial begins in the window; -1 if it is not there. */
  private readonly places: Int32Array;

  /** `most`: bytes in memory, unless a single output is longer. */
  constructor(
    written: Pick<WrittenTrials, "writeOutputs">,
    lengths: Uint32Array,
    order: Uint32Array,
    most: number = WINDOW,
  ) {
    [this.written, this.lengths, this.order, this.most] = [written, lengths, order, most];
    this.places = new Int32Array(order.length).fill(-1);
  }

  get length(): number {
    return this.order.length;
  }

  get size(): number {
    return this.window.byteLength + this.lengths.byteLength + this.places.byteLength;
  }

  lengthOf(i: number): number {
    return this.lengths[this.order[i]!]!;
  }

  /** Itself, with all outputs in memory, so that they can be read in any order. */
  async held(): Promise<this> {
    this.most = Number.POSITIVE_INFINITY;
    await this.load(0);
    return this;
  }

  /** Only for a text that `scan` or `held` has loaded. */
  bytesOf(i: number): Uint8Array {
    const start = this.places[this.order[i]!]!;
    return this.window.subarray(start, start + this.lengthOf(i));
  }

  scan(): ReturnType<NonNullable<TextSource["scan"]>> {
    return {
      ahead: (i) => (i >= this.from && i < this.to ? undefined : this.load(i)),
      bytesOf: (i) => this.bytesOf(i),
    };
  }

  /** Loads text `i` and those after it. */
  private async load(i: number): Promise<void> {
    const { order, places, written, most } = this;
    for (let k = this.from; k < this.to; k++) places[order[k]!] = -1;
    [this.from, this.to] = [i, i];
    let size = 0;
    for (; this.to < order.length && (size === 0 || size + this.lengthOf(this.to) <= most); this.to++) {
      places[order[this.to]!] = size;
      size += this.lengthOf(this.to);
    }
    if (this.window.length < size) this.window = new Uint8Array(size);
    await written.writeOutputs(this.window, (trial) => places[trial]!);
  }
}
