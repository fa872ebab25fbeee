// The redo log: every change of the database's tables, on the disk before the database commits it, so that a database
// that is missing, older or damaged can be made again. Knows frames of bytes with checksums; never what is in them.
// It never overwrites or cuts what was acknowledged: only the bytes of a change that was refused are taken back.

import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, openSync } from "node:fs";
import { appendFile, type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { crc32, deflateRaw, inflateRawSync } from "node:zlib";
import { Fault } from "@assay/base";
import { type Column, type Parameter, rowsIn } from "../database.ts";
import { readFully, syncDirectory, writeFault } from "../journal.ts";
import { PRIVATE_FILE } from "../private-files.ts";
import { FIRST_LOGGED } from "../schema.ts";
import { codedColumns, plainColumn } from "./coded-columns.ts";
import { MOST_BYTES } from "./logged-change.ts";

/** A statement, by its number, with its parameters; or rows that were appended to a table, which many are coded or packed. */
export type Change =
  | { readonly statement: number; readonly parameters: readonly Parameter[] }
  | { readonly table: string; readonly columns: readonly Column[] }
  | { readonly table: string; readonly coded: Uint8Array }
  | { readonly table: string; readonly packed: Uint8Array };

/** What the first frame of a log says: the state that the log begins with follows in the next frames. */
export interface LogHead {
  /** The log's own id: another one each time that it is written anew. */
  readonly log: string;
  readonly store: { readonly id: string; readonly seed: number };
  /** The version of the tables that the changes are for. */
  readonly schema: number;
  /** Where the log ended that this one continues: an existing database has all that this one begins with. */
  readonly continues: { readonly log: string; readonly at: number } | undefined;
}

/** Changes that belong together, and where the frame of them ends. */
export interface LoggedChanges {
  /** As they are in the file, which can be from elsewhere: `readChange` says what they are. */
  readonly changes: readonly unknown[];
  /** The first byte after them. */
  readonly end: number;
}

/** Bytes of a log that are not a whole frame. */
export interface BadBytes {
  readonly from: number;
  readonly to: number;
}

/** A frame that is ready to be written. */
export interface PreparedFrame {
  /** Where the log will end when it is written. */
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** An open redo log. Changes are written one after another. */
export interface RedoLog {
  readonly head: LogHead;
  /** Where it ends. */
  readonly end: number;
  /** Why it takes no changes any more, until it is opened again. */
  readonly broken: Fault | undefined;
  /** The frame that would be written next for these changes. */
  prepare(changes: readonly Change[]): Promise<PreparedFrame>;
  /** Writes a frame; on the disk when the promise resolves. When it rejects, the log is as it was. */
  append(frame: PreparedFrame): Promise<void>;
  /** Takes the last frame back: its transaction was not committed. Throws when the log can no longer be relied on. */
  takeBack(frame: PreparedFrame): void;
  close(): Promise<void>;
}

// Four bytes that begin a frame, so that the next one is found behind damaged bytes.
const MAGIC = 0x4c41_5341;
/** Magic, flags, length of the payload and its CRC-32, which is seeded with the place and with the other two. */
const HEADER = 16;
const DEFLATED = 1;
// Compressing less is not worth a turn through the thread pool.
const COMPRESSED_FROM = 4096;
// Fewer rows are compressed with the rest of their frame.
const PACKED_FROM = 256;
const SCAN = 1024 * 1024;
const deflate = promisify(deflateRaw);

/** Writes a new log over `path`: its head and the state. It takes the old one's place once it is on the disk. Gives its id and end. */
export async function writeRedoLog(
  path: string,
  head: Omit<LogHead, "log">,
  state: AsyncIterable<readonly Change[]>,
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

/** Opens the log for writing behind its last whole frame, which ends at `end`; bytes after it are kept in `<path>.torn`. */
export async function openRedoLog(path: string, end: number): Promise<RedoLog> {
  const head = readHead(path);
  const handle = await open(path, "r+");
  const { fd } = handle;
  const name = basename(path);
  let broken: Fault | undefined;
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

/** What a log says of itself. Throws a `corrupt` fault when it is none. */
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
 * Reads the changes of a log in order, from byte `from`, which is 0 or where a frame ends. Bytes that are not a frame
 * are given too, where they lie: at the end they are a frame that was being written when its process died.
 */
export function* readRedoLog(path: string, from: number): Generator<LoggedChanges | BadBytes> {
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

/** Rows that are appended to a table, narrowed, as the log keeps them: many are coded, or packed if they hold many texts. */
export async function appended(table: string, columns: readonly Column[]): Promise<Change> {
  if (rowsIn(columns[0]!) < PACKED_FROM) return { table, columns: columns.map(plainColumn) };
  const coded = codedColumns(columns);
  if (coded !== undefined) return { table, coded: serialize(coded) };
  return { table, packed: await deflate(serialized(columns.map(plainColumn)), { level: 1 }) };
}

/** The value as bytes, as many as will be read again. */
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
  return (value as readonly Change[]).reduce((sum, change) => {
    if ("coded" in change) return sum + change.coded.length;
    return sum + ("packed" in change ? change.packed.length : 0);
  }, 0);
}

/** The place takes part, so that a frame that was copied elsewhere is none. */
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

/** What a payload holds; undefined for one that was not written here, though its checksum is right. */
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

/** Where the next whole frame begins; the size of the file when there is none. */
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
