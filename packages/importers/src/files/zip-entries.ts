// Reads the entries of a zip archive by its central directory. A log that was appended to has unused bytes in between
// and replaced entries; only the directory identifies them. Supports Zstandard (method 93), which few zip libraries do.

import { decompressed, decompressedByRuntime, expansionOf } from "./decompress.ts";
import { Unreadable } from "./errors.ts";
import type { ImportFile } from "./import-file.ts";
import { readAhead } from "./read-ahead.ts";

/** One file in an archive. */
export interface ZipEntry {
  readonly name: string;
  /** The bytes of its content, according to the archive. */
  readonly size: number;
  /** Its content, decompressed. */
  pieces(): AsyncGenerator<Uint8Array>;
}

interface Extent {
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  readonly compressed: number;
  /** The number of bytes of its content. */
  readonly size: number;
  readonly header: number;
}

const [END, END_64, LOCATOR_64, ENTRY, LOCAL] = [0x06054b50, 0x06064b50, 0x07064b50, 0x02014b50, 0x04034b50];
const PIECE = 256 * 1024;
/** The most bytes of an entry that is decompressed in one step. */
const WHOLE = 4 * 1024 * 1024;
// A directory for a million samples is smaller.
const LARGEST_DIRECTORY = 128 * 1024 * 1024;
const SPREAD = 0xffffffff;

/** Whether bytes start like a zip archive. */
export function beginsLikeZip(start: Uint8Array): boolean {
  return start[0] === 0x50 && start[1] === 0x4b && start[2] === 0x03 && start[3] === 0x04;
}

/** The entries of an archive, only the last for each name. Together they must not exceed the limit for one file. */
export async function zipEntries(file: ImportFile): Promise<readonly ZipEntry[]> {
  const extents = new Map((await directoryOf(file)).map((extent) => [extent.name, extent]));
  const budget = { left: expansionOf(file.size) };
  // The entries of a log are small and mostly read in order.
  const ahead = readAhead(file);
  return Array.from(extents.values(), (extent) => ({
    name: extent.name,
    size: extent.size,
    pieces: () => contentOf(ahead, extent, budget),
  }));
}

async function* contentOf(
  file: ImportFile,
  extent: Extent,
  budget: { left: number },
): AsyncGenerator<Uint8Array> {
  const { name, method, compressed, size, header, encrypted } = extent;
  if (encrypted) throw new Unreadable(`${name}: encrypted`);
  const local = view(await read(file, header, 30, name));
  if (local.getUint32(0, true) !== LOCAL) throw new Unreadable(`${name}: not where the archive says`);
  const start = header + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  if (start + compressed > file.size) throw new Unreadable(`${name}: truncated`);
  if (method === 8 && compressed <= PIECE && size <= Math.min(WHOLE, budget.left)) {
    const whole = decompressedByRuntime(await file.read(start, start + compressed), "deflate", size);
    if (whole !== undefined) {
      budget.left -= size;
      yield whole;
      return;
    }
  }
  const stored = rangeOf(file, start, start + compressed);
  const content =
    method === 0
      ? stored
      : method === 8
        ? decompressed(stored, "deflate", budget.left)
        : method === 93
          ? decompressed(stored, "zstd", budget.left)
          : undefined;
  if (content === undefined) throw new Unreadable(`${name}: compression method ${method} is not supported`);
  try {
    for await (const piece of content) {
      budget.left -= piece.length;
      if (budget.left < 0)
        throw new Unreadable(`more than ${expansionOf(file.size)} bytes after decompression`);
      yield piece;
    }
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(`${name}: ${error.message}`) : error;
  }
}

async function* rangeOf(file: ImportFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += PIECE) yield await file.read(at, Math.min(end, at + PIECE));
}

async function directoryOf(file: ImportFile): Promise<readonly Extent[]> {
  const tailStart = Math.max(0, file.size - 65_557);
  const tail = view(await file.read(tailStart, file.size));
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Unreadable("truncated zip archive: its directory is missing");
  let [size, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  if ((size === SPREAD || start === SPREAD) && end >= 20 && tail.getUint32(end - 20, true) === LOCATOR_64) {
    const record = view(await read(file, large(tail, end - 12), 56, "the directory"));
    if (record.getUint32(0, true) !== END_64)
      throw new Unreadable("its zip64 directory is not where the archive says");
    [size, start] = [large(record, 40), large(record, 48)];
  }
  if (size > LARGEST_DIRECTORY)
    throw new Unreadable(`its directory is longer than ${LARGEST_DIRECTORY} bytes`);
  return extentsOf(view(await read(file, start, size, "the directory")));
}

function extentsOf(directory: DataView): readonly Extent[] {
  const names = new TextDecoder();
  const extents: Extent[] = [];
  for (let at = 0; at + 46 <= directory.byteLength; ) {
    if (directory.getUint32(at, true) !== ENTRY) throw new Unreadable("its zip directory is not valid");
    const lengths = [28, 30, 32].map((offset) => directory.getUint16(at + offset, true));
    const [name, extra, comment] = lengths as [number, number, number];
    const after = at + 46 + name + extra + comment;
    if (after > directory.byteLength) throw new Unreadable("its zip directory is truncated");
    extents.push({
      name: names.decode(new Uint8Array(directory.buffer, directory.byteOffset + at + 46, name)),
      method: directory.getUint16(at + 10, true),
      encrypted: (directory.getUint16(at + 8, true) & 1) === 1,
      ...sizesOf(directory, at, at + 46 + name, extra),
    });
    at = after;
  }
  return extents;
}

/** The place and length of an entry: in the zip64 extra field if four bytes do not suffice. */
function sizesOf(
  directory: DataView,
  at: number,
  extra: number,
  length: number,
): Pick<Extent, "compressed" | "size" | "header"> {
  const short = [24, 20, 42].map((offset) => directory.getUint32(at + offset, true));
  for (let field = extra; field + 4 <= extra + length; ) {
    const size = directory.getUint16(field + 2, true);
    if (directory.getUint16(field, true) === 1) {
      let next = field + 4;
      const end = Math.min(next + size, extra + length);
      const [full, compressed, header] = short.map((value) => {
        if (value !== SPREAD || next + 8 > end) return value;
        next += 8;
        return large(directory, next - 8);
      });
      return { compressed: compressed!, size: full!, header: header! };
    }
    field += 4 + size;
  }
  return { compressed: short[1]!, size: short[0]!, header: short[2]! };
}

async function read(file: ImportFile, start: number, length: number, what: string): Promise<Uint8Array> {
  if (start + length > file.size) throw new Unreadable(`${what}: truncated, or not where the archive says`);
  return file.read(start, start + length);
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function large(bytes: DataView, at: number): number {
  return Number(bytes.getBigUint64(at, true));
}
