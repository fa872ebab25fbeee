// A spool: keeps records in streams until it is known which data to write from them. Records are bytes, which take a
// fraction of the memory of objects; beyond a limit they are in storage that the importing program provides.

/** Append-only storage for bytes. */
export interface Scratch {
  /** Appends bytes, which may change once the promise resolves. */
  append(bytes: Uint8Array): Promise<void>;
  /** Fills `into` with the bytes from byte `start`. */
  read(start: number, into: Uint8Array): Promise<void>;
}

/** Bytes collected before they become a page: initially for a stream, at most for a stream, and for all streams. */
const [FIRST, PAGE, OPEN] = [4 * 1024, 256 * 1024, 8 * 1024 * 1024] as const;
/** The part of a page's memory that must be in use if it stays there. */
const FILLED = 0.9;
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
  /** The bytes after the pages, then free space. */
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
  /** The memory of pages that are in the scratch. */
  private readonly free: Uint8Array[] = [];

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

  /** Moves bytes that do not fit in memory to the scratch; undefined if there is nothing to wait for. */
  settle(): Promise<void> | undefined {
    return this.overflow.length === 0 ? undefined : this.spill();
  }

  /** The approximate size of a stream in bytes. */
  sizeOf({ pages, size }: SpoolStream): number {
    return pages.reduce((sum, { length }) => sum + length, size);
  }

  /** The records of a stream, in batches of whole records, each valid until the next. */
  async *read(stream: SpoolStream): AsyncGenerator<Uint8Array> {
    let room = NO_BYTES;
    for (const { bytes, start, length } of stream.pages) {
      if (bytes === undefined) {
        if (room.length < length) room = new Uint8Array(Math.max(PAGE, length));
        await this.scratch!.read(start, room.subarray(0, length));
      }
      yield bytes ?? room.subarray(0, length);
    }
    if (stream.size > 0) yield stream.open.subarray(0, stream.size);
  }

  private makeRoom(stream: SpoolStream, wanted: number): void {
    if (stream.size + wanted > PAGE && stream.size > 0) this.close(stream);
    // After a page, as much again.
    const usual = stream.size > 0 ? stream.open.length * 2 : (stream.pages.at(-1)?.length ?? FIRST);
    const least = Math.max(stream.size + wanted, Math.min(PAGE, usual));
    const length = least > PAGE ? least : 2 ** Math.ceil(Math.log2(least));
    if (this.room + length > OPEN) for (const other of this.open) if (other !== stream) this.close(other);
    const open = (length === PAGE ? this.free.pop() : undefined) ?? new Uint8Array(length);
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
    const isKept = this.scratch === undefined || this.inMemory + length <= IN_MEMORY;
    // A page that stays takes no more memory than it needs.
    const bytes = isKept && length < open.length * FILLED ? open.slice(0, length) : open.subarray(0, length);
    const page: Page = { bytes, start: 0, length };
    stream.pages.push(page);
    if (isKept) this.inMemory += length;
    else this.overflow.push(page);
  }

  private async spill(): Promise<void> {
    const pages = this.overflow;
    this.overflow = [];
    for (const page of pages) {
      const { buffer } = page.bytes!;
      await this.scratch!.append(page.bytes!);
      [page.start, page.bytes] = [this.inScratch, undefined];
      this.inScratch += page.length;
      if (buffer.byteLength === PAGE) this.free.push(new Uint8Array(buffer));
    }
  }
}

const NO_BYTES = new Uint8Array(0);
