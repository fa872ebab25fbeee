// Collects texts in pieces: a long list is never copied to grow, which would block other work.

import type { Work } from "../kernels/work.ts";
import { pickTexts, type TextList, type TextScan, Texts } from "./texts.ts";

// The number of texts in a piece: a power of two.
const PIECE = 1024;
const BITS = Math.log2(PIECE);

/** A growing list of texts in memory, in pieces. */
export class CollectedTexts implements TextList {
  private readonly pieces: Texts[];

  constructor(pieces: Texts[] = [new Texts()]) {
    this.pieces = pieces;
  }

  get length(): number {
    return (this.pieces.length - 1) * PIECE + this.pieces.at(-1)!.length;
  }

  get size(): number {
    return this.pieces.reduce((sum, { size }) => sum + size, 0);
  }

  push(text: string): void {
    let last = this.pieces.at(-1)!;
    if (last.length === PIECE) {
      // The next texts are mostly as long as these.
      last = new Texts(new Uint8Array(last.bytes.length), new Uint32Array(PIECE));
      this.pieces.push(last);
    }
    last.push(text);
  }

  get(i: number): string {
    return this.pieceOf(i).get(i % PIECE);
  }

  bytesOf(i: number): Uint8Array {
    return this.pieceOf(i).bytesOf(i % PIECE);
  }

  lengthOf(i: number): number {
    return this.pieceOf(i).lengthOf(i % PIECE);
  }

  scan(): TextScan {
    return { ahead: () => undefined, get: (i) => this.get(i), bytesOf: (i) => this.bytesOf(i) };
  }

  pick(order: Uint32Array, work: Work): Promise<Texts> {
    return pickTexts(this, order, work);
  }

  continued(): CollectedTexts {
    return new CollectedTexts([...this.pieces.slice(0, -1), this.pieces.at(-1)!.continued()]);
  }

  private pieceOf(i: number): Texts {
    return this.pieces[i >> BITS]!;
  }
}
