// Records in compressed blocks, for large writes: the calls and rows of an import take an eighth of the disk space. The
// file is gzip in BGZF blocks, so `gzip -d` reads all of it, and a single record is read by decompressing one block. A
// location is a virtual offset of BGZF: where its block begins, then where the record begins in the block. (For the
// reasons, see docs/decisions/2026-11-25-packed-journals.md.)

import { closeSync, openSync } from "node:fs";
import { basename } from "node:path";
import { crc32 } from "node:zlib";
import { lruCache } from "@assay/base/internal";
import { BLOCK_HEADER, blockContent, blockLength, IN_BLOCK, ROOM } from "../compression/bgzf.ts";
import { bufferFor, compress } from "../compression/compress.ts";
import type { Pieces } from "../compression/compress-pieces.ts";
import { readFully } from "../files/file-io.ts";
import { copyLines } from "./joined-lines.ts";
import {
  appending,
  checksumsOf,
  type GrowingFile,
  inFileOrder,
  type Journal,
  journalSize,
  openGrowingFile,
  type RecordLocation,
  textsOf,
} from "./journal.ts";

/** Locations from here on are in the packed file of a journal, lower ones in its plain file. */
export const PACKED: number = 2 ** 48;
/** The upper limit of locations: larger numbers are not exact. */
export const END_OF_LOCATIONS: number = 2 ** 53;

/** The size of a write in bytes from which its records are packed. */
const PACKED_FROM = 1024 * 1024;
/** How many blocks are kept decompressed: records are mostly read in sequence, a few at a time. */
const KEPT = 16;
/** Bytes per read when blocks are read in sequence. */
const AHEAD = 1024 * 1024;

/** The byte of the file at which the block of a location begins. */
export function blockOf({ at }: Pick<RecordLocation, "at">): number {
  return Math.floor((at - PACKED) / IN_BLOCK);
}

/** The byte of the file at which the record, or its block, begins. */
export function byteOf(location: Pick<RecordLocation, "at">): number {
  return location.at < PACKED ? location.at : blockOf(location);
}

/** The first location after byte `end` of the file. */
export function locationAfter(end: number): number {
  return PACKED + end * IN_BLOCK;
}

/**
 * A journal that adds writes of at least `from` bytes to `packed`, and other writes and records too long for a block to
 * `plain`. Nothing else may write to the two.
 */
export function packingJournal(plain: Journal, packed: PackedJournal, from: number = PACKED_FROM): Journal {
  const isPacked = ({ at }: RecordLocation): boolean => at >= PACKED;
  const of = (location: RecordLocation): Journal | PackedJournal => (isPacked(location) ? packed : plain);

  const visit: Journal["visit"] = (locations, show) => {
    const indexes: [plain: number[], packed: number[]] = [[], []];
    for (const [i, location] of locations.entries()) indexes[isPacked(location) ? 1 : 0].push(i);
    for (const [k, journal] of [plain, packed].entries()) {
      const own = indexes[k]!;
      if (own.length === locations.length) journal.visit(locations, show);
      else if (own.length > 0)
        journal.visit(
          own.map((i) => locations[i]!),
          (i, record) => show(own[i]!, record),
        );
    }
  };

  const prepare: Journal["prepare"] = async (records, crcs) => {
    const size = records.reduce((sum, { length }) => sum + length, 0);
    if (size < from || locationAfter(packed.next + 2 * size) >= END_OF_LOCATIONS)
      return plain.prepare(records, crcs);
    if (records.every(fits)) return packed.prepare(records, crcs);
    const [short, long] = [
      await packed.prepare(
        records.filter(fits),
        crcs?.filter((_, i) => fits(records[i]!)),
      ),
      await plain.prepare(
        records.filter((record) => !fits(record)),
        crcs?.filter((_, i) => !fits(records[i]!)),
      ),
    ];
    return {
      begin() {
        const [some, others] = [short.begin(), long.begin()];
        let [s, l] = [0, 0];
        return {
          locations: records.map((record) => (fits(record) ? some.locations[s++]! : others.locations[l++]!)),
          onDisk: Promise.all([some.onDisk, others.onDisk]).then(() => undefined),
        };
      },
    };
  };

  return {
    visit,
    prepare,
    append: appending(prepare),
    appendLong: plain.appendLong,
    pieces: (location) => of(location).pieces(location),
    texts(locations) {
      const texts = new Array<string>(locations.length);
      for (const journal of [plain, packed]) {
        const own = locations.flatMap((location, i) => (of(location) === journal ? [i] : []));
        if (own.length === 0) continue;
        for (const [k, text] of journal.texts(own.map((i) => locations[i]!)).entries()) texts[own[k]!] = text;
      }
      return texts;
    },
    async close() {
      await plain.close();
      await packed.close();
    },
  };
}

/** A journal of records that fit in blocks. */
export interface PackedJournal extends Omit<Journal, "appendLong"> {
  /** The end of the file, including what is being written. */
  readonly next: number;
}

/**
 * Opens a packed journal; see `openJournal`. If it has no records, its file may be missing when it is
 * opened read-only.
 */
export async function openPackedJournal(
  path: string,
  known: number,
  readOnly: boolean,
): Promise<PackedJournal> {
  const name = basename(path);
  if (readOnly && known === 0 && journalSize(path) === 0) return emptyJournal();
  const file = await openGrowingFile(path, known, readOnly);
  const block = blockReader(file);

  const visit: Journal["visit"] = (locations, show) => {
    for (const index of inFileOrder(locations)) {
      const location = locations[index]!;
      const from = (location.at - PACKED) % IN_BLOCK;
      const record = block(blockOf(location))?.subarray(from, from + location.size);
      const isWhole = record?.length === location.size && crc32(record) === location.crc;
      show(index, isWhole ? record : undefined);
    }
  };

  const prepare: Journal["prepare"] = async (records, given = []) => {
    const { counts, lines } = inBlocks(records);
    const compressing = compress("bgzf", lines);
    const crcs = checksumsOf(records, given);
    const blocks = await compressing;
    return {
      begin() {
        const locations: RecordLocation[] = [];
        let block = file.next;
        for (const [i, count] of counts.entries()) {
          let at = locationAfter(block);
          for (const end = locations.length + count; locations.length < end; ) {
            const [{ length: size }, crc] = [records[locations.length]!, crcs[locations.length]!];
            locations.push({ at, size, crc });
            at += size + 1;
          }
          block = file.next + blocks.ends[i]!;
        }
        return { locations, onDisk: file.begin([blocks.bytes], blocks.bytes.length) };
      },
    };
  };

  return {
    visit,
    prepare,
    append: appending(prepare),
    async pieces(location) {
      const pieces: Buffer[] = [];
      visit([location], (_, record) => record !== undefined && pieces.push(Buffer.from(record)));
      return pieces.length === 0 ? undefined : pieces;
    },
    texts: textsOf(visit, (location) => ({ name, path, at: blockOf(location) })),
    get next() {
      return file.next;
    },
    close: file.close,
  };
}

function emptyJournal(): PackedJournal {
  const prepare = () => Promise.reject(new Error("a journal that is only read"));
  const visit: Journal["visit"] = (locations, show) => {
    for (const i of locations.keys()) show(i, undefined);
  };
  return {
    visit,
    prepare,
    append: appending(prepare),
    pieces: async () => undefined,
    texts: textsOf(visit, (location) => ({ name: "", path: "", at: blockOf(location) })),
    next: 0,
    close: async () => undefined,
  };
}

/**
 * Where the block at byte `from` of a packed file ends, according to its header; undefined if it has no valid header.
 */
export function blockEnd(path: string, from: number): number | undefined {
  const fd = openSync(path, "r");
  try {
    const length = blockLength(readFully(fd, from, BLOCK_HEADER));
    return length === undefined ? undefined : from + length;
  } finally {
    closeSync(fd);
  }
}

function fits({ length }: Uint8Array): boolean {
  return length < ROOM;
}

/** Records as lines, as many in each block as fit, and how many that are. */
function inBlocks(records: readonly Uint8Array[]): {
  readonly counts: readonly number[];
  readonly lines: Pieces;
} {
  const [counts, ends]: [number[], number[]] = [[], []];
  let [size, start, count] = [0, 0, 0];
  const end = (): void => {
    counts.push(count);
    ends.push(size);
    [start, count] = [size, 0];
  };
  for (const { length } of records) {
    if (size - start + length >= ROOM) end();
    size += length + 1;
    count++;
  }
  if (count > 0) end();
  const bytes = bufferFor(size);
  copyLines(bytes, records);
  return { counts, lines: { bytes, ends: Uint32Array.from(ends) } };
}

/** Reads blocks by position; undefined for one that cannot be decompressed. */
function blockReader(file: GrowingFile): (from: number) => Buffer | undefined {
  const kept = lruCache<number, Buffer>(KEPT);
  const scratch = Buffer.allocUnsafeSlow(AHEAD);
  // The bytes read last, their position, and the end of the last returned block.
  let run: Buffer = scratch.subarray(0, 0);
  let [start, ended] = [0, -1];

  const bytesAt = (from: number): Buffer => {
    const have = from < start ? undefined : run.subarray(from - start);
    const known = have && blockLength(have);
    if (known !== undefined && known <= have!.length) return have!.subarray(0, known);
    // Bytes that are still being written may change.
    const length = Math.min(from === ended ? AHEAD : IN_BLOCK, Math.max(0, file.end - from));
    run = file.read(from, length, scratch);
    start = from;
    return run.subarray(0, blockLength(run) ?? 0);
  };

  return (from) => {
    const known = kept.get(from);
    if (known !== undefined) return known;
    const member = bytesAt(from);
    ended = from + member.length;
    const bytes = blockContent(member);
    if (bytes !== undefined) kept.set(from, bytes);
    return bytes;
  };
}
