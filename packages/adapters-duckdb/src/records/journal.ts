// The text of calls and rows: one record after another in a file that only grows. DuckDB's index has their locations.
// Never interprets a record. (On why texts are not in DuckDB, see "Why two kinds of files" in the README.)

import { constants, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { crc32 } from "node:zlib";
import { Fault } from "@assay/base";
import { readFully, syncDirectory, writeFault } from "../files/file-io.ts";
import { PRIVATE_FILE } from "../files/private-files.ts";
import { joinedLines, LINE_BREAK, NEWLINE } from "./joined-lines.ts";

/** The location of a record: its first byte, its size, and its CRC-32. */
export interface RecordLocation {
  readonly at: number;
  readonly size: number;
  readonly crc: number;
}

/** Records that are being written to the disk. */
interface Appending {
  /** Their locations, in order. */
  readonly locations: readonly RecordLocation[];
  /** Resolves when they and all records before them are on the disk; nothing may point at them before that. */
  readonly onDisk: Promise<void>;
}

/** Records that are ready to be added to a journal. */
export interface PreparedRecords {
  /**
   * Starts adding them, so that the caller can work while the disk is written: it may also start more, which follow
   * these and fail if these do. If some failed, the caller has to start again with all of them.
   */
  begin(): Appending;
}

/** A file of records. */
export interface Journal {
  /** Does what adding records needs before it is their turn: checksums and compression. `crcs` are known checksums. */
  prepare(records: readonly Uint8Array[], crcs?: readonly (number | undefined)[]): Promise<PreparedRecords>;
  /** Adds records and returns their locations, in order. On the disk when the promise resolves. One at a time. */
  append(records: readonly Uint8Array[]): Promise<readonly RecordLocation[]>;
  /** Adds one record in pieces, which are written one by one, since it may be long. */
  appendLong(pieces: readonly Uint8Array[]): Promise<RecordLocation>;
  /**
   * Calls `show` for each record, with its index in `locations`, in file order; undefined for a record whose bytes
   * changed. The bytes are only valid until `show` returns.
   */
  visit(
    locations: readonly RecordLocation[],
    show: (index: number, record: Buffer | undefined) => void,
  ): void;
  /** One record in pieces, since it may be long: with several, the first has a MiB. Undefined if its bytes changed. */
  pieces(location: RecordLocation): Promise<readonly Buffer[] | undefined>;
  /**
   * The texts of the records, in the order of `locations`. Throws a `corrupt` fault with file and byte of a damaged
   * record.
   */
  texts(locations: readonly RecordLocation[]): string[];
  close(): Promise<void>;
}

// Records closer together than this are read together: a disk returns about this much in the time of another read call.
const GAP = 16 * 1024;
const RUN = 1024 * 1024;

/**
 * Opens a journal whose acknowledged records end at byte `known`. Content after it, from a writer that died, stays in
 * place, and new records follow it. Read-only journals take no records. Throws a `corrupt` fault for a journal that is
 * missing or ends before `known`, and leaves it unchanged.
 */
export async function openJournal(path: string, known: number, readOnly: boolean): Promise<Journal> {
  const file = await openGrowingFile(path, known, readOnly);
  const { name, size } = file;
  // The first new record starts on its own line.
  const isRagged = size > known && file.read(size - 1, 1)[0] !== NEWLINE;
  /** Whether the next write is the first of this process, after content of another. */
  const isFirst = (): boolean => isRagged && file.next === size;
  const scratch = Buffer.allocUnsafeSlow(RUN);

  /** The bytes from byte `at`; fewer than `length` at the end of the file. */
  const readLong = async (at: number, length: number): Promise<Buffer> => {
    const bytes = Buffer.allocUnsafeSlow(length);
    return bytes.subarray(0, await file.load(at, bytes));
  };

  const visit: Journal["visit"] = (locations, show) => {
    const order = inFileOrder(locations);
    for (let i = 0; i < order.length; ) {
      const from = locations[order[i]!]!.at;
      let to = from;
      let next = i;
      for (; next < order.length; next++) {
        const { at, size } = locations[order[next]!]!;
        if (next > i && (at - to > GAP || at + size - from > RUN)) break;
        to = Math.max(to, at + size);
      }
      const run = file.read(from, to - from, to - from <= RUN ? scratch : undefined);
      for (; i < next; i++) {
        const index = order[i]!;
        const { at, size, crc } = locations[index]!;
        const record = run.subarray(at - from, at - from + size);
        show(index, record.length === size && crc32(record) === crc ? record : undefined);
      }
    }
  };

  const prepare: Journal["prepare"] = async (records, given = []) => {
    const crcs = checksumsOf(records, given);
    return {
      begin() {
        const before = isFirst() ? [LINE_BREAK] : [];
        let at = file.next + before.length;
        const locations = records.map(({ length }, i) => {
          const location = { at, size: length, crc: crcs[i]! };
          at += length + 1;
          return location;
        });
        return { locations, onDisk: file.begin([...before, ...joinedLines(records)], at - file.next) };
      },
    };
  };

  return {
    visit,
    prepare,
    append: appending(prepare),
    async appendLong(pieces) {
      const before = isFirst() ? [LINE_BREAK] : [];
      const at = file.next + before.length;
      let [size, crc] = [0, 0];
      const all = function* () {
        yield* before;
        for (const piece of pieces) {
          size += piece.length;
          crc = crc32(piece, crc);
          yield piece;
        }
        yield LINE_BREAK;
      };
      await file.write(all());
      return { at, size, crc };
    },
    async pieces({ at, size, crc }) {
      const pieces: Buffer[] = [];
      let sum = 0;
      for (let done = 0; done < size; ) {
        const length = Math.min(RUN, size - done);
        const piece = await readLong(at + done, length);
        if (piece.length < length) return undefined;
        sum = crc32(piece, sum);
        pieces.push(piece);
        done += length;
      }
      return sum === crc ? pieces : undefined;
    },
    texts: textsOf(visit, ({ at }) => ({ name, path, at })),
    close: file.close,
  };
}

/** The checksums of records, some of which are known. */
export function checksumsOf(
  records: readonly Uint8Array[],
  known: readonly (number | undefined)[],
): readonly number[] {
  return records.map((record, i) => known[i] ?? crc32(record));
}

/** Implements `append` with `prepare`. */
export function appending(prepare: Journal["prepare"]): Journal["append"] {
  return async (records) => {
    const { locations, onDisk } = (await prepare(records)).begin();
    await onDisk;
    return locations;
  };
}

/** Implements `texts` with `visit`; `where` describes the file and byte of a record. */
export function textsOf(
  visit: Journal["visit"],
  where: (location: RecordLocation) => { readonly name: string; readonly path: string; readonly at: number },
): Journal["texts"] {
  return (locations) => {
    const texts = new Array<string>(locations.length);
    visit(locations, (index, record) => {
      if (record === undefined) {
        const { name, path, at } = where(locations[index]!);
        throw new Fault(
          "corrupt",
          `${name} is damaged at byte ${at}: importing the record again repairs it`,
          { file: path },
        );
      }
      texts[index] = record.toString("utf8");
    });
    return texts;
  };
}

/** A file that only grows. */
export interface GrowingFile {
  /** The file's name, without its folder. */
  readonly name: string;
  /** Its size in bytes when it was opened. */
  readonly size: number;
  /** The end of what is on the disk: earlier bytes never change. */
  readonly end: number;
  /** Where the next write begins, after everything that is being written. */
  readonly next: number;
  /**
   * Starts writing these pieces, `length` bytes in total, after all earlier ones; resolves when they are on the disk.
   */
  begin(pieces: Iterable<Uint8Array>, length: number): Promise<void>;
  /** Writes pieces of unknown total length. One at a time, with no other write running. */
  write(pieces: Iterable<Uint8Array>): Promise<void>;
  /** The bytes from byte `at`, in `scratch` if given; fewer at the end of the file. Throws a fault. */
  read(at: number, length: number, scratch?: Buffer): Buffer;
  /** Fills `into` without blocking others; returns the number of bytes. */
  load(at: number, into: Buffer): Promise<number>;
  close(): Promise<void>;
}

/** Opens the file of a journal; see `openJournal`. */
export async function openGrowingFile(path: string, known: number, readOnly: boolean): Promise<GrowingFile> {
  const name = basename(path);
  const size = journalSize(path);
  if (size < known) {
    const message = `${path} ends at byte ${size}, before its last record's end at ${known}`;
    throw new Fault(
      "corrupt",
      `${message}: put it back, or run assay doctor, which removes the lost records from the index`,
      { file: path },
    );
  }
  const flags = readOnly ? constants.O_RDONLY : constants.O_RDWR | constants.O_CREAT;
  const handle = await open(path, flags, PRIVATE_FILE).catch((error: unknown) => {
    throw new Fault("unavailable", `cannot open ${path}`, { cause: error, file: path });
  });
  if (!readOnly) syncDirectory(dirname(path));
  let end = size;
  // The end including what is being written, and when the last of that is on the disk.
  let next = size;
  let underway: Promise<void> = Promise.resolve();

  const unreadable = (at: number, error: unknown): Fault => {
    // A read while the directory is closed is not a fault of the file.
    if (handle.fd === -1) return new Fault("unavailable", "the data directory is closed", { cause: error });
    return new Fault("unavailable", `cannot read ${name} at byte ${at}`, { cause: error, file: path });
  };

  const write = async (pieces: Iterable<Uint8Array>): Promise<void> => {
    let to = end;
    try {
      for (const piece of pieces) {
        for (let done = 0; done < piece.length; ) {
          const { bytesWritten } = await handle.write(piece, done, piece.length - done, to);
          done += bytesWritten;
          to += bytesWritten;
        }
      }
      await handle.datasync();
    } catch (error) {
      throw writeFault(error, name, path);
    }
    end = to;
    next = Math.max(next, end);
  };

  return {
    name,
    size,
    get end() {
      return end;
    },
    get next() {
      return next;
    },
    begin(pieces, length) {
      next += length;
      const onDisk = underway.then(() => write(pieces));
      underway = onDisk;
      onDisk.catch(() => {
        // Nothing points at the failed records, nor at those after them: the next records replace them.
        if (underway === onDisk) [next, underway] = [end, Promise.resolve()];
      });
      return onDisk;
    },
    write,
    read(at, length, scratch) {
      try {
        return readFully(handle.fd, at, length, scratch);
      } catch (error) {
        throw unreadable(at, error);
      }
    },
    async load(at, into) {
      try {
        for (let have = 0; ; ) {
          const { bytesRead } = await handle.read(into, have, into.length - have, at + have);
          have += bytesRead;
          if (bytesRead === 0 || have === into.length) return have;
        }
      } catch (error) {
        throw unreadable(at, error);
      }
    },
    async close() {
      await underway.catch(() => undefined);
      await handle.close();
    },
  };
}

/** The size of a journal in bytes; 0 if it does not exist. */
export function journalSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The order of locations in their file. */
export function inFileOrder(locations: readonly RecordLocation[]): Uint32Array {
  const order = Uint32Array.from(locations, (_, i) => i);
  const sorted = locations.every((location, i) => i === 0 || locations[i - 1]!.at <= location.at);
  return sorted ? order : order.sort((a, b) => locations[a]!.at - locations[b]!.at);
}
