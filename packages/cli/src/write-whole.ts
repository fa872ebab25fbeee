// Output to a file that is there once it is whole, and not before, or to the standard output.

import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import type { World } from "./world.ts";

/** Writes to stdout, or to a file beside `path` that takes its name once it is whole. */
export async function writeWhole(
  world: World,
  path: string | undefined,
  write: (stream: Writable, options: { readonly end: boolean }) => Promise<void>,
): Promise<void> {
  if (path === undefined) return write(world.stdout.stream, { end: false });
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    await write(createWriteStream(partial, { flags: "wx" }), { end: true });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
