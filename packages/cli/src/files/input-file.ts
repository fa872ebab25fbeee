// Input files that are read from beginning to end, gzipped or not, and standard input.

import { constants, createReadStream, open } from "node:fs";
import { stat } from "node:fs/promises";
import { Socket } from "node:net";
import { addAbortSignal, pipeline, Readable } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import { promisify } from "node:util";
import { createGunzip } from "node:zlib";
import type { CliContext } from "../terminal/cli-context.ts";
import { EXIT, Failure } from "../terminal/failure.ts";

/** An unread input. */
export interface InputFile {
  /** Its name in messages. */
  readonly name: string;
  /** Its bytes on disk; undefined if unknown. */
  readonly size: number | undefined;
  /**
   * Its content, decompressed; `onBytes` is called with the number of bytes read from the file. For standard input, a
   * pipe or a terminal, which may stay silent forever, it ends as soon as the command is told to stop.
   */
  read(onBytes?: (count: number) => void): AsyncIterable<Uint8Array>;
}

/** The file at `path`, or standard input for `-`. Fails if the file does not exist. */
export async function inputFile(context: CliContext, path: string): Promise<InputFile> {
  if (path === "-")
    return input("stdin", undefined, async () => addAbortSignal(context.signal, context.stdin));
  const found = await stat(path);
  if (found.isDirectory()) throw new Failure(EXIT.failed, `${path}: a directory, not a file`);
  if (!found.isFile())
    return input(path, undefined, async () => addAbortSignal(context.signal, await unending(path)));
  return input(path, found.size, async () => createReadStream(path, { highWaterMark: 2 ** 20 }));
}

/** The most bytes of a text that is read whole. */
const LONGEST_TEXT = 2 ** 22;

/** The whole text of a file with at most 4 MiB. */
export async function textOfFile(context: CliContext, path: string): Promise<string> {
  const file = await inputFile(context, path);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of file.read()) {
    pieces.push(piece);
    size += piece.length;
    if (size > LONGEST_TEXT) throw new Failure(EXIT.usage, `${file.name}: more than ${LONGEST_TEXT} bytes`);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/**
 * A pipe or a device. It is opened and read without a waiting thread: such a thread cannot be stopped, and would keep
 * the process from ending.
 */
async function unending(path: string): Promise<Readable> {
  const fd = await promisify(open)(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (isatty(fd)) return new ReadStream(fd);
  const isPipe = (await stat(path)).isFIFO();
  return isPipe ? new Socket({ fd, readable: true, writable: false }) : createReadStream(path, { fd });
}

function input(name: string, size: number | undefined, open: () => Promise<Readable>): InputFile {
  return {
    name,
    size,
    async *read(onBytes = () => {}) {
      const source = counted(await open(), onBytes);
      const first = await source.next();
      const whole = async function* (): AsyncGenerator<Uint8Array> {
        if (!first.done) yield first.value;
        yield* source;
      };
      // Detects compression by the first two bytes, because names can be wrong.
      if (first.done || first.value[0] !== 0x1f || first.value[1] !== 0x8b) yield* whole();
      else {
        const gunzip = createGunzip();
        pipeline(Readable.from(whole()), gunzip, () => {});
        try {
          yield* gunzip;
        } catch (error) {
          throw new Failure(EXIT.failed, `${name}: not valid gzip, or truncated`, { cause: error });
        }
      }
    },
  };
}

async function* counted(source: Readable, onBytes: (count: number) => void): AsyncGenerator<Uint8Array> {
  for await (const piece of source as AsyncIterable<Uint8Array>) {
    onBytes(piece.length);
    yield piece;
  }
}
