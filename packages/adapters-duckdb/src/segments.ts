// Columns that the engine has built, one file per evaluation. Files rather than blobs in DuckDB: the engine reads parts
// of them at any time, directly into its own memory. A lost file only has to be built again, so nothing is synced.

import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SavedSegment, SegmentStore } from "@assay/eval-engine";
import { inBlocks, openBlocks } from "./compression/block-file.ts";
import { writeFault } from "./files/file-io.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "./files/private-files.ts";

/** Keeps segments in a directory. */
export interface FileSegments extends SegmentStore {
  /** Closes open files. */
  close(): Promise<void>;
}

/** Options for storing segments. */
export interface FileSegmentsOptions {
  /** The id of their store: segments of a store with another id are never found. */
  readonly storeId: string;
  readonly readOnly: boolean;
  /** Called with a sentence when the disk starts to refuse them. */
  readonly tell: (message: string) => void;
}

/**
 * Stores segments in `directory`, which is created if needed. Segments that cannot be written are not stored, so
 * queries are answered even if nothing can be written.
 */
export function fileSegments(
  directory: string,
  { storeId, readOnly, tell }: FileSegmentsOptions,
): FileSegments {
  const handles = new Set<FileHandle>();
  let refused = false;
  let swept: Promise<void> | undefined;

  /** Reported once until a write succeeds again, since each query would report the same. */
  const notKept = (error: unknown): void => {
    if (!refused) {
      const { message } = writeFault(error, directory);
      tell(`${message} (${(error as Error).message}): what queries read is kept only in memory`);
    }
    refused = true;
  };

  // Hashed, so that no external name becomes a path.
  const path = (project: string, evaluation: string): string => {
    const name = createHash("sha256")
      .update(JSON.stringify([storeId, project, evaluation]))
      .digest("hex");
    return join(directory, `${name}.segment`);
  };

  const close = async (handle: FileHandle): Promise<void> => {
    // Nothing was written through it that closing could lose.
    if (handles.delete(handle)) await handle.close().catch(() => {});
  };

  /** The content of an open file, which stays available when another file takes its name; undefined if it has none. */
  const opened = async (handle: FileHandle): Promise<SavedSegment | undefined> => {
    handles.add(handle);
    const file = await openBlocks(handle).catch(() => undefined);
    if (file === undefined) await close(handle);
    return (
      file && {
        size: file.size,
        read: (offset, into) => handles.has(handle) && file.read(offset, into),
        load: async (offset, into) => handles.has(handle) && (await file.load(offset, into)),
        close: () => void close(handle),
      }
    );
  };

  return {
    async open(project, evaluation) {
      try {
        return await opened(await open(path(project, evaluation), "r"));
      } catch {
        return undefined;
      }
    },
    async save(project, evaluation, pieces) {
      if (readOnly) return undefined;
      const target = path(project, evaluation);
      const partial = `${target}.${randomUUID()}`;
      let handle: FileHandle | undefined;
      let brokeOff: { readonly error: unknown } | undefined;
      const whole = async function* () {
        try {
          yield* pieces;
        } catch (error) {
          brokeOff = { error };
          throw error;
        }
      };
      try {
        await mkdir(directory, { recursive: true, mode: PRIVATE_FOLDER });
        swept ??= sweep(directory);
        await swept;
        handle = await open(partial, "wx+", PRIVATE_FILE);
        await writeFile(handle, inBlocks(whole()));
        await rename(partial, target);
        refused = false;
        return await opened(handle);
      } catch (error) {
        await handle?.close().catch(() => {});
        await rm(partial, { force: true }).catch(() => {});
        if (brokeOff !== undefined) throw brokeOff.error;
        notKept(error);
        return undefined;
      }
    },
    async close() {
      await Promise.all([...handles].map(close));
    },
  };
}

/** Removes files of processes that were killed while saving. */
async function sweep(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names)
    if (PARTIAL.test(name)) await rm(join(directory, name), { force: true }).catch(() => {});
}

/** The name of a file until it is complete. */
const PARTIAL = /\.segment\.[^.]+$/;
