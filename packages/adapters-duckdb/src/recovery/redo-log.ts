// The redo log: every change of the database's tables, written to disk before the database commits it, so that a
// missing, older or damaged database can be rebuilt. It stores frames of bytes with checksums and does not interpret
// their content. It never overwrites or cuts acknowledged changes: only the bytes of a refused change are taken back.

import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, openSync } from "node:fs";
import { appendFile, type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { crc32, deflateRaw, inflateRawSync } from "node:zlib";
import { Fault } from "@assay/base";
import { type Column, type Parameter, rowsIn } from "../database/database.ts";
import { FIRST_LOGGED } from "../database/schema.ts";
import { readFully, syncDirectory, writeFault } from "../files/file-io.ts";
import { PRIVATE_FILE } from "../files/private-files.ts";
import { encodeColumns, plainColumn } from "./column-encoding.ts";
import { MOST_BYTES } from "./logged-change.ts";

/**
 * A statement, by number, with its parameters; or rows appended to a table, which are encoded or packed if there are
 * many.
 */
export type LoggedChange =
  | { readonly statement: number; readonly parameters: readonly Parameter[] }
  | { readonly table: string; readonly columns: readonly Column[] }
  | { readonly table: string; readonly coded: Uint8Array }
  | { readonly table: string; readonly packed: Uint8Array };

/** The first frame of a log. The initial state follows in the next frames. */
export interface LogHead {
  /** The log's id, which is new each time that it is rewritten. */
  readonly log: string;
  readonly store: { readonly id: string; readonly seed: number };
  /** The version of the tables that the changes apply to. */
  readonly schema: number;
  /**
   * The end of the log that this one continues: a database that applied that log to its end already has the initial
   * state of this one.
   */
  readonly continues: { readonly log: string; readonly at: number } | undefined;
}

/** Changes that belong together, and where their frame ends. */
export interface LoggedChanges {
  /** Unchecked content of the file, which may come from elsewhere; see `readChange`. */
  readonly changes: readonly unknown[];
  /** The first byte after them. */
  readonly end: number;
}

/** Bytes of a log that do not form a complete frame. */
export interface DamagedBytes {
  readonly from: number;
  readonly to: number;
}

/** A frame that is ready to write. */
export interface PreparedFrame {
  /** Where the log ends once it is written. */
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** An open redo log. Changes are written one after another. */
export interface RedoLog {
  readonly head: LogHead;
  /** The end of the log. */
  readonly end: number;
  /** Why it no longer takes changes until it is opened again. */
  readonly broken: Fault | undefined;
  /** Prepares the next frame, with these changes. */
  prepare(changes: readonly LoggedChange[]): Promise<PreparedFrame>;
  /** Writes a frame, which is on the disk when the promise resolves. If it rejects, the log is unchanged. */
  append(frame: PreparedFrame): Promise<void>;
  /** Takes back the last frame, whose transaction was not committed. Throws if the log can no longer be relied on. */
  takeBack(frame: PreparedFrame): void;
  close(): Promise<void>;
}

// Four bytes at the start of a frame, to find the next one after damaged bytes.
const MAGIC = 0x4c41_5341;
/** Magic, flags, length of the payload, and a CRC-32 over them, the position and the payload. */
const HEADER = 16;
const DEFLATED = 1;
// Compressing less is not worth a round trip through the thread pool.
const COMPRESSED_FROM = 4096;
// Fewer rows are compressed with the rest of their frame.
const PACKED_FROM = 256;
const SCAN = 1024 * 1024;
const deflate = promisify(deflateRaw);

/**
 * Writes a new log with its head and state, and replaces the one at `path` once it is on the disk. Returns its id and
 * end.
 */
export async function writeRedoLog(
  path: string,
  head: Omit<LogHead, "log">,
  state: AsyncIterable<readonly LoggedChange[]>,
): Promise<{ readonly log: string; readonly at: number }> {
  const partial = `${path}.new`;
  const log = randomUUID();
  let handle: FileHandle | undefined;
  try {
    await rm(partial, { force: true });
    handle = await open(partial, "wx", PRIVATE_FILE);
    let at = 0;
    const put = async (value: unknown): Promise<void> => {
      const frame = await frameOf(value, at);
      await handle!.appendFile(frame);
      at += frame.length;
    };
    await put({ ...head, log });
    for await (const changes of state) await put(changes);
    await handle.sync();
    await handle.close();
    await rename(partial, path);
    syncDirectory(dirname(path));
    return { log, at };
  } catch (error) {
    await handle?.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw writeFault(error, basename(path), path);
  }
}

/**
 * Opens the log for writing after its last complete frame, which ends at `end`; bytes after it are kept in
 * `<path>.torn`.
 */
export async function openRedoLog(path: string, end: number): Promise<RedoLog> {
  const head = readHead(path);
  const handle = await open(path, "r+");
  const { fd } = handle;
  const name = basename(path);
  let broken: Fault | undefined;
  // Some file systems count no links at all.
  const countsLinks = fstatSync(fd).nlink > 0;
  /** Bytes written to an unlinked file are on the disk, but lost once the file is closed. */
  const checkName = (): void => {
    if (!countsLinks || fstatSync(fd).nlink > 0) return;
    broken = new Fault("unavailable", `${name} was removed while it was open`, { file: path });
    throw broken;
  };
  const cut = (at: number): void => {
    try {
      ftruncateSync(fd, at);
    } catch (error) {
      broken = new Fault("unavailable", `${name} cannot be truncated to byte ${at}`, {
        cause: error,
        file: path,
      });
      throw broken;
    }
  };
  try {
    const { size } = fstatSync(fd);
    if (size > end) {
      await appendFile(`${path}.torn`, readFully(fd, end, size - end), { mode: PRIVATE_FILE });
      cut(end);
    }
  } catch (error) {
    await handle.close();
    throw error;
  }

  return {
    head,
    get end() {
      return end;
    },
    get broken() {
      return broken;
    },
    async prepare(changes) {
      const bytes = await frameOf(changes, end);
      return { bytes, end: end + bytes.length };
    },
    async append({ bytes, end: next }) {
      if (broken !== undefined) throw broken;
      try {
        for (let done = 0; done < bytes.length; )
          done += (await handle.write(bytes, done, bytes.length - done, end + done)).bytesWritten;
        await handle.datasync();
        checkName();
      } catch (error) {
        cut(end);
        throw writeFault(error, name, path);
      }
      end = next;
    },
    takeBack(frame) {
      if (end !== frame.end) return;
      end = frame.end - frame.bytes.length;
      cut(end);
    },
    close: () => handle.close(),
  };
}

/** Reads the head of a log. Throws a `corrupt` fault if there is none. */
export function readHead(path: string): LogHead {
  const fd = openSync(path, "r");
  try {
    const head = frameAt(fd, 0, fstatSync(fd).size)?.value;
    if (!isHead(head)) throw new Fault("corrupt", `${path} does not begin like a redo log`, { file: path });
    return head;
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads the changes of a log in order, from byte `from`, which is 0 or the end of a frame. Returns bytes that are not a
 * frame too, with their position: at the end, they are a frame that was being written when its process died.
 */
export function* readRedoLog(path: string, from: number): Generator<LoggedChanges | DamagedBytes> {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    for (let at = from; at < size; ) {
      const frame = frameAt(fd, at, size);
      if (frame === undefined) {
        const to = nextFrame(fd, at + 1, size);
        yield { from: at, to };
        at = to;
      } else {
        const changes = Array.isArray(frame.value) ? frame.value : [frame.value];
        if (at > 0) yield { changes, end: frame.end };
        at = frame.end;
      }
    }
  } finally {
    closeSync(fd);
  }
}

/**
 * The change that appends narrowed rows to a table: many rows are encoded, or packed if they have many different texts.
 */
export async function appended(table: string, columns: readonly Column[]): Promise<LoggedChange> {
  if (rowsIn(columns[0]!) < PACKED_FROM) return { table, columns: columns.map(plainColumn) };
  const coded = encodeColumns(columns);
  if (coded !== undefined) return { table, coded: serialize(coded) };
  return { table, packed: await deflate(serialized(columns.map(plainColumn)), { level: 1 }) };
}

/** Serializes a value. Throws if that takes more bytes than can be read back. */
function serialized(value: unknown): Buffer {
  const bytes = serialize(value);
  if (bytes.length > MOST_BYTES) throw new Fault("exhausted", "the change is too large");
  return bytes;
}

async function frameOf(value: unknown, at: number): Promise<Buffer> {
  const plain = serialized(value);
  const deflated = plain.length - packedIn(value) >= COMPRESSED_FROM;
  const payload = deflated ? await deflate(plain, { level: 1 }) : plain;
  const header = Buffer.alloc(HEADER);
  header.writeUInt32LE(MAGIC, 0);
  header.writeUInt32LE(deflated ? DEFLATED : 0, 4);
  header.writeUInt32LE(payload.length, 8);
  header.writeUInt32LE(checksum(header, payload, at), 12);
  return Buffer.concat([header, payload]);
}

function packedIn(value: unknown): number {
  if (!Array.isArray(value)) return 0;
  return (value as readonly LoggedChange[]).reduce((sum, change) => {
    if ("coded" in change) return sum + change.coded.length;
    return sum + ("packed" in change ? change.packed.length : 0);
  }, 0);
}

/** Includes the position, so that a frame that was copied elsewhere is invalid. */
function checksum(header: Buffer, payload: Uint8Array, at: number): number {
  return crc32(payload, crc32(header.subarray(0, 12), crc32(String(at))));
}

interface Frame {
  readonly value: unknown;
  readonly end: number;
}

function frameAt(fd: number, at: number, size: number): Frame | undefined {
  if (at + HEADER > size) return undefined;
  const header = readFully(fd, at, HEADER);
  const length = header.readUInt32LE(8);
  const end = at + HEADER + length;
  if (header.readUInt32LE(0) !== MAGIC || end > size) return undefined;
  const payload = readFully(fd, at + HEADER, length);
  if (checksum(header, payload, at) !== header.readUInt32LE(12)) return undefined;
  return { value: payloadValue(payload, header.readUInt32LE(4)), end };
}

/** The content of a payload; undefined if it was not written by this program, even if its checksum is right. */
function payloadValue(payload: Uint8Array, flags: number): unknown {
  try {
    const isDeflated = flags === DEFLATED;
    return deserialize(isDeflated ? inflateRawSync(payload, { maxOutputLength: MOST_BYTES }) : payload);
  } catch {
    return undefined;
  }
}

function isHead(value: unknown): value is LogHead {
  const { log, store, schema, continues } = (value ?? {}) as Partial<LogHead>;
  return (
    typeof log === "string" &&
    typeof store?.id === "string" &&
    Number.isInteger(store.seed) &&
    Number.isInteger(schema) &&
    schema! >= FIRST_LOGGED &&
    (continues === undefined || (typeof continues?.log === "string" && typeof continues.at === "number"))
  );
}

/** Where the next complete frame begins; the size of the file if there is none. */
function nextFrame(fd: number, from: number, size: number): number {
  const magic = Buffer.alloc(4);
  magic.writeUInt32LE(MAGIC);
  for (let at = from; at + HEADER <= size; ) {
    const bytes = readFully(fd, at, Math.min(SCAN, size - at));
    for (let i = bytes.indexOf(magic); i !== -1; i = bytes.indexOf(magic, i + 1))
      if (frameAt(fd, at + i, size) !== undefined) return at + i;
    at += Math.max(1, bytes.length - magic.length + 1);
  }
  return size;
}
