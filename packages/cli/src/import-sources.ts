// The files of an import, including those in folders, standard input and pipes, which are copied to files when they
// must be read twice.

import { createWriteStream } from "node:fs";
import { mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { bytesFile, type ImportFile, planImport } from "@assay/importers";
import { type InputFile, inputFile } from "./input-file.ts";
import type { World } from "./world.ts";

/** Where an import reads from. */
export interface ImportSources {
  /** Files whose kind is to be found out. */
  readonly files: readonly ImportFile[];
  /** Paths of files that were found in a folder: files of unknown format among them are skipped. */
  readonly found: ReadonlySet<string>;
  /** The standard input and pipes, when they have lines of calls: they are written as they come. */
  readonly calls: readonly InputFile[];
  /** Removes what was made to read them. */
  close(): Promise<void>;
}

/** Bytes that tell what the standard input is. */
const HEAD = 256 * 1024;

/** Looks at every path; none is read yet. Fails when there is none. `from` is the kind that the user gave. */
export async function importSources(
  world: World,
  paths: readonly string[],
  from: string | undefined,
): Promise<ImportSources> {
  const files: ImportFile[] = [];
  const found = new Set<string>();
  const calls: InputFile[] = [];
  let folder: string | undefined;
  const close = async (): Promise<void> => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  const look = async (path: string): Promise<void> => {
    if (await isStream(path)) {
      const input = await inputFile(world, path);
      const { head, content } = await withHead(input.read());
      if (from === "weave" || (from === undefined && !(await isLog(head)))) {
        calls.push({ ...input, read: () => content });
      } else {
        folder ??= await mkdtemp(join(tmpdir(), "assay-import-"));
        const kept = join(folder, String(files.length));
        await pipeline(Readable.from(content), createWriteStream(kept));
        // What a shell calls a pipe is another number each time, and names may be what tells runs apart.
        files.push({ ...(await diskFile(kept)), path: path === "-" ? "stdin" : "pipe" });
      }
    } else if ((await stat(path)).isDirectory()) {
      for (const inside of await filesBelow(path)) {
        files.push(await diskFile(inside));
        found.add(inside);
      }
    } else files.push(await diskFile(path));
  };
  try {
    for (const path of paths) await look(path);
  } catch (error) {
    await close();
    throw error;
  }
  return { files, found, calls, close };
}

/** The same file, telling `onRead` how far it is read, and ending with the signal. */
export function watchedFile(
  file: ImportFile,
  signal: AbortSignal,
  onRead: (position: number) => void,
): ImportFile {
  return {
    ...file,
    async read(start, end) {
      if (signal.aborted) throw new Stopped();
      onRead(end);
      return file.read(start, end);
    },
  };
}

/** Reading ended since it was told to. */
export class Stopped extends Error {}

/** A file on the disk. It is opened for each read, so that a folder of thousands needs no thousand handles. */
async function diskFile(path: string): Promise<ImportFile> {
  const { size } = await stat(path);
  return {
    path: path.replaceAll("\\", "/"),
    size,
    async read(start, end) {
      const handle = await open(path);
      try {
        const { buffer, bytesRead } = await handle.read(new Uint8Array(end - start), 0, end - start, start);
        return buffer.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
  };
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return (
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      // Hidden files, and those of hidden folders: the data directory is one.
      .filter(
        (path) =>
          !relative(folder, path)
            .split(sep)
            .some((part) => part.startsWith(".")),
      )
      .sort()
  );
}

/** Whether a path names what can be read once: the standard input, or a pipe, as a shell makes of `<(zcat log.json)`. */
async function isStream(path: string): Promise<boolean> {
  if (path === "-") return true;
  const found = await stat(path);
  return !found.isFile() && !found.isDirectory();
}

async function withHead(
  content: AsyncIterable<Uint8Array>,
): Promise<{ readonly head: Uint8Array; readonly content: AsyncIterable<Uint8Array> }> {
  const begun: Uint8Array[] = [];
  const rest = content[Symbol.asyncIterator]();
  let size = 0;
  while (size < HEAD) {
    const next = await rest.next();
    if (next.done === true) break;
    begun.push(next.value);
    size += next.value.length;
  }
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield* begun;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  };
  return { head: Buffer.concat(begun), content: whole() };
}

/** Whether the beginning of something tells that it is a log or a table, and no lines of calls. */
async function isLog(head: Uint8Array): Promise<boolean> {
  const { calls, refused } = await planImport([bytesFile("stdin", head)]);
  return calls.length === 0 && !refused.some(({ why }) => why === "unknown");
}
