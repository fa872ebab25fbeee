// The files of an import, including those in folders, standard input and pipes, which are copied to files if they must
// be read twice.

import { createWriteStream, readFileSync } from "node:fs";
import { mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { bytesFile, type ImportFile, planImport } from "@assay/importers";
import { type InputFile, inputFile } from "../files/input-file.ts";
import type { CliContext } from "../terminal/cli-context.ts";

/** The inputs of an import. */
export interface ImportSources {
  /** Files whose kind is to be detected. */
  readonly files: readonly ImportFile[];
  /** Paths of files found in folders: those of unknown format are skipped. */
  readonly found: ReadonlySet<string>;
  /** Standard input and pipes with lines of calls, which are written as they arrive. */
  readonly calls: readonly InputFile[];
  /** Removes temporary files. */
  close(): Promise<void>;
}

/** How many bytes of standard input are read to detect its kind. */
const HEAD = 256 * 1024;

/**
 * Checks every path without reading the files. Fails if there is nothing to read. `from` is the kind given by the user.
 */
export async function importSources(
  context: CliContext,
  paths: readonly string[],
  from: string | undefined,
): Promise<ImportSources> {
  const files: ImportFile[] = [];
  const found = new Set<string>();
  const calls: InputFile[] = [];
  const last: LastRead = { bytes: new Uint8Array(0) };
  let folder: string | undefined;
  const close = async (): Promise<void> => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  const look = async (path: string): Promise<void> => {
    if (await isStream(path)) {
      const input = await inputFile(context, path);
      const { head, content } = await withHead(input.read());
      if (from === "weave" || (from === undefined && !(await isLog(head)))) {
        calls.push({ ...input, read: () => content });
      } else {
        folder ??= await mkdtemp(join(tmpdir(), "assay-import-"));
        const kept = join(folder, String(files.length));
        await pipeline(Readable.from(content), createWriteStream(kept));
        // A shell gives a pipe a different number each time, but file names may identify runs.
        files.push({ ...(await diskFile(kept, last)), path: path === "-" ? "stdin" : "pipe" });
      }
    } else if ((await stat(path)).isDirectory()) {
      for (const inside of await filesBelow(path)) {
        files.push(await diskFile(inside, last));
        found.add(inside);
      }
    } else files.push(await diskFile(path, last));
  };
  try {
    for (const path of paths) await look(path);
  } catch (error) {
    await close();
    throw error;
  }
  return { files, found, calls, close };
}

/** The same file, which reports each read to `onRead`, and stops when the signal is aborted. */
export function watchedFile(
  file: ImportFile,
  signal: AbortSignal,
  onRead: (position: number) => void,
): ImportFile {
  return {
    ...file,
    async read(start, end, room) {
      if (signal.aborted) throw new ReadingStopped();
      onRead(end);
      return file.read(start, end, room);
    },
  };
}

/** Reading was stopped on request. */
export class ReadingStopped extends Error {}

/** The most bytes of a file that is read whole: it is read several times to find its format and layout. */
const SMALL = 256 * 1024;

/** The small file that was read last. */
interface LastRead {
  path?: string;
  bytes: Uint8Array;
}

/** A file on the disk. It is opened for each read, so that a folder of thousands does not take as many handles. */
async function diskFile(path: string, last: LastRead): Promise<ImportFile> {
  const { size } = await stat(path);
  return {
    path: path.replaceAll("\\", "/"),
    size,
    async read(start, end, room = new Uint8Array(end - start)) {
      if (size <= SMALL) {
        if (last.path !== path) Object.assign(last, { path, bytes: readFileSync(path) });
        const bytes = last.bytes.subarray(start, end);
        room.set(bytes);
        return room.subarray(0, bytes.length);
      }
      const handle = await open(path);
      try {
        const { buffer, bytesRead } = await handle.read(room, 0, end - start, start);
        return buffer.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
  };
}

/** Results of an exercise in Aider's benchmark, beside the files of the exercise. */
const HIDDEN_RESULTS = ".aider.results.json";

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const isHidden = (name: string) => name.startsWith(".");
  // Skips the content of hidden folders, such as the data directory.
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !dirname(relative(folder, path))
          .split(sep)
          .some((part) => part !== "." && isHidden(part)),
    )
    .sort();
  // Hidden files only if there is nothing else, as in a tool's own folder, or if they are known results.
  const shown = paths.filter((path) => !isHidden(basename(path)) || basename(path) === HIDDEN_RESULTS);
  return shown.length > 0 ? shown : paths;
}

/** Whether a path can be read only once: standard input, or a pipe such as a shell creates for `<(zcat log.json)`. */
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

/** Whether the beginning of an input shows a log or a table instead of lines of calls. */
async function isLog(head: Uint8Array): Promise<boolean> {
  const { calls, refused } = await planImport([bytesFile("stdin", head)]);
  return calls.length === 0 && !refused.some(({ why }) => why === "unknown");
}
