// Writes output to a file that appears only when it is complete, or to standard output.

import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { Writable } from "node:stream";
import type { CliContext, Output } from "../terminal/cli-context.ts";
import { plainPiece } from "../terminal/plain-text.ts";

/** Writes to stdout, or to a temporary file next to `path` that is renamed when it is complete. */
export async function writeAtomic(
  context: CliContext,
  path: string | undefined,
  write: (stream: Writable, options: { readonly end: boolean }) => Promise<void>,
): Promise<void> {
  if (path === undefined) return write(shownOn(context.stdout), { end: false });
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    await write(createWriteStream(partial, { flags: "wx" }), { end: true });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    const { path: failed, syscall } = error as NodeJS.ErrnoException;
    // The user knows only the name that was given. The error of a failed write to an open file does not name it.
    const named =
      failed === partial
        ? path
        : failed === undefined
          ? `${path} or a temporary file in ${tmpdir()}`
          : failed;
    throw syscall === undefined ? error : Object.assign(error as NodeJS.ErrnoException, { path: named });
  }
}

/** Writes text that is not kept in a file: unchanged, or on a terminal as plain text. */
function shownOn({ stream, columns }: Output): Writable {
  if (columns === undefined) return stream;
  const decoder = new TextDecoder();
  return new Writable({
    write(bytes: Buffer, _, done) {
      stream.write(plainPiece(decoder.decode(bytes, { stream: true })), done);
    },
  });
}
