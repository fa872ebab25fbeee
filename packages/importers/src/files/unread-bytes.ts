// Bytes that arrive in pieces and are read as far as they are complete. They always use the same memory, because
// allocating tens of megabytes of new buffers triggers a full garbage collection.

/** The bytes of pieces that are not read yet. */
export class UnreadBytes {
  private room: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  private start = 0;
  private end = 0;

  /** The number of unread bytes. */
  get length(): number {
    return this.end - this.start;
  }

  /** The unread bytes, which may be changed; valid until the next piece. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.room.subarray(this.start, this.end);
  }

  /** Adds a piece. */
  add(piece: Uint8Array): void {
    const { length } = this;
    if (length + piece.length > this.room.length) {
      const room = new Uint8Array(Math.max(this.room.length * 2, length + piece.length));
      room.set(this.bytes);
      this.room = room;
    } else this.room.copyWithin(0, this.start, this.end);
    this.room.set(piece, length);
    [this.start, this.end] = [0, length + piece.length];
  }

  /** Marks the first bytes as read. */
  skip(count: number): void {
    this.start += count;
  }
}
