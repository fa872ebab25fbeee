// A spool: keeps records in streams until it is known what to write of them, as bytes, which take a fraction of the
// memory of objects, and beyond a limit in storage that the importing program provides.

import { joinedBytes } from "./byte-writer.ts";

/** Append-only storage for bytes. */
export interface Scratch {
  /** Appends bytes. */
  append(bytes: Uint8Array): Promise<void>;
  /** Reads `length` bytes from byte `start`. */
  read(start: number, length: number): Promise<Uint8Array>;
}

/** Bytes collected before they become a page: initially for a stream, at most for a stream, and for all streams. */
const [FIRST, PAGE, OPEN] = [4 * 1024, 256 * 1024, 8 * 1024 * 1024] as const;
/** Bytes that stay in memory if there is a scratch. */
const IN_MEMORY = 16 * 1024 * 1024;

/** Some records of a stream: bytes in memory, or their place in the scratch. */
interface Page {
  bytes: Uint8Array | undefined;
  start: number;
  readonly length: number;
}

/** Records that belong together, in order of arrival. */
export interface SpoolStream {
  readonly pages: Page[];
  /** What follows the pages, then free space. */
  open: Uint8Array;
  /** Bytes used in `open`. */
  size: number;
}

/** The records of many streams. */
export class Spool {
  private readonly scratch: Scratch | undefined;
  private readonly open: Set<SpoolStream> = new Set();
  private room = 0;
  private inMemory = 0;
  private inScratch = 0;
  private overflow: Page[] = [];

  constructor(scratch: Scratch | undefined) {
    this.scratch = scratch;
  }

  /** Creates an empty stream. */
  stream(): SpoolStream {
    return { pages: [], open: NO_BYTES, size: 0 };
  }

  /** Adds a record of this length. Returns where to write it in `stream.open`. Await `settle` now and then. */
  add(stream: SpoolStream, length: number): number {
    if (stream.size + length > stream.open.length) this.makeRoom(stream, length);
    const at = stream.size;
    stream.size += length;
    return at;
  }

  /** Moves what does not fit in memory to the scratch; undefined if there is nothing to wait for. */
  settle(): Promise<void> | undefined {
    return this.overflow.length === 0 ? undefined : this.spill();
  }

  /** The approximate size of a stream in bytes. */
  sizeOf({ pages, size }: SpoolStream): number {
    return pages.reduce((sum, { length }) => sum + length, size);
  }

  /** The records of a stream, in batches of whole records. */
  async *read(stream: SpoolStream): AsyncGenerator<Uint8Array> {
    for (const { bytes, start, length } of stream.pages)
      yield bytes ?? (await this.scratch!.read(start, length));
    if (stream.size > 0) yield stream.open.subarray(0, stream.size);
  }

  private makeRoom(stream: SpoolStream, wanted: number): void {
    if (stream.size + wanted > PAGE && stream.size > 0) this.close(stream);
    const length = Math.max(FIRST, stream.size + wanted, Math.min(PAGE, stream.open.length * 2));
    if (this.room + length > OPEN) for (const other of this.open) if (other !== stream) this.close(other);
    const open = new Uint8Array(length);
    open.set(stream.open.subarray(0, stream.size));
    this.room += length - stream.open.length;
    stream.open = open;
    this.open.add(stream);
  }

  private close(stream: SpoolStream): void {
    const { open, size: length } = stream;
    this.room -= open.length;
    this.open.delete(stream);
    [stream.open, stream.size] = [NO_BYTES, 0];
    if (length === 0) return;
    const page: Page = { bytes: open.slice(0, length), start: 0, length };
    stream.pages.push(page);
    if (this.scratch === undefined || this.inMemory + length <= IN_MEMORY) this.inMemory += length;
    else this.overflow.push(page);
  }

  private async spill(): Promise<void> {
    const pages = this.overflow;
    this.overflow = [];
    await this.scratch!.append(joinedBytes(pages.map(({ bytes }) => bytes!)));
    for (const page of pages) {
      [page.start, page.bytes] = [this.inScratch, undefined];
      this.inScratch += page.length;
    }
  }
}

const NO_BYTES = new Uint8Array(0);
