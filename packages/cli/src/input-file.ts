// Files that are read from beginning to end, gzipped or not, and the standard input in their place.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { EXIT, Failure } from "./failure.ts";
import type { World } from "./world.ts";

/** An input, not read yet. */
export interface InputFile {
  /** What to call it in messages. */
  readonly name: string;
  /** Its bytes on disk; undefined when that is not known. */
  readonly size: number | undefined;
  /** Its content, decompressed; `onBytes` is told how many bytes of the file were read for it. */
  read(onBytes?: (count: number) => void): AsyncIterable<Uint8Array>;
}

/** The file at `path`, or the standard input when it is `-`. Fails when there is no such file. */
export async function inputFile(world: World, path: string): Promise<InputFile> {
  if (path === "-") return input("stdin", undefined, () => world.stdin);
  const found = await stat(path);
  if (found.isDirectory()) throw new Failure(EXIT.failed, `${path}: is a directory; a file is needed`);
  return input(path, found.isFile() ? found.size : undefined, () =>
    createReadStream(path, { highWaterMark: 2 ** 20 }),
  );
}

function input(name: string, size: number | undefined, open: () => Readable): InputFile {
  return {
    name,
    size,
    async *read(onBytes = () => {}) {
      const source = counted(open(), onBytes);
      const first = await source.next();
      const whole = async function* (): AsyncGenerator<Uint8Array> {
        if (!first.done) yield first.value;
        yield* source;
      };
      // What it is says its first two bytes; names lie.
      if (first.done || first.value[0] !== 0x1f || first.value[1] !== 0x8b) yield* whole();
      else {
        const gunzip = createGunzip();
        pipeline(Readable.from(whole()), gunzip, () => {});
        try {
          yield* gunzip;
        } catch (error) {
          throw new Failure(EXIT.failed, `${name}: not valid gzip, or it breaks off`, { cause: error });
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
