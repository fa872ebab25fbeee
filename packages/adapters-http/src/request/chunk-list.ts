// Collects bytes as they arrive: concatenating many MiB would block other requests, and many small pieces would use too
// much memory.

import type { Steps } from "@assay/base";

// Each piece has an overhead of some hundred bytes, so a client that sends single bytes would fill the memory.
const SMALL = 2 ** 14;
const BLOCK = 2 ** 16;

/** Bytes in pieces, in order. Small pieces are copied together; do not change the others afterwards. */
export class ChunkList {
  readonly #pieces: Uint8Array[] = [];
  #block = new Uint8Array(0);
  #used = 0;
  #size = 0;

  add(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (bytes.length >= SMALL) {
      this.#endBlock();
      this.#pieces.push(bytes);
      return;
    }
    if (this.#used + bytes.length > this.#block.length) {
      this.#endBlock();
      this.#block = new Uint8Array(BLOCK);
    }
    this.#block.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** All pieces so far, none of them empty. */
  all(): readonly Uint8Array[] {
    this.#endBlock();
    return this.#pieces;
  }

  /** All bytes so far as one array, one piece per step. */
  *joined(): Steps<Uint8Array> {
    const pieces = this.all();
    if (pieces.length === 1) return pieces[0]!;
    const whole = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
      yield;
    }
    return whole;
  }

  /** The next bytes start after those in the block. */
  #endBlock(): void {
    if (this.#used > 0) this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = this.#block.subarray(this.#used);
    this.#used = 0;
  }
}
