// Columns that the engine has built, one file per evaluation. Files rather than blobs in DuckDB: the engine reads parts
// of them whenever it likes, straight into its own memory. Losing one costs the time to build it again, so nothing is
// synced.

import { createHash, randomUUID } from "node:crypto";
import { readSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SavedSegment, SegmentStore } from "@assay/eval-engine";
import { writeFault } from "./journal.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "./private-files.ts";

/** Keeps segments in a directory. */
export interface FileSegments extends SegmentStore {
  /** Closes what is open. */
  close(): Promise<void>;
}

/** Keeps segments in `directory`, made when needed. Those of a store with another id are never found. */
export function fileSegments(directory: string, storeId: string, readOnly: boolean): FileSegments {
  const handles = new Set<FileHandle>();

  // Hashed, so that no name from outside becomes a path.
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

  /** What is in an open file, which stays there when another one takes its name. */
  const opened = async (handle: FileHandle): Promise<SavedSegment> => {
    handles.add(handle);
    const { size } = await handle.stat();
    return {
      size,
      read: (offset, into) => handles.has(handle) && readWhole(handle.fd, offset, into),
      close: () => void close(handle),
    };
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
      try {
        await mkdir(directory, { recursive: true, mode: PRIVATE_FOLDER });
        handle = await open(partial, "wx+", PRIVATE_FILE);
        await writeFile(handle, pieces);
        await rename(partial, target);
        return await opened(handle);
      } catch (error) {
        await handle?.close().catch(() => {});
        await rm(partial, { force: true });
        throw writeFault(error, "a segment");
      }
    },
    async close() {
      await Promise.all([...handles].map(close));
    },
  };
}

function readWhole(fd: number, offset: number, into: Uint8Array): boolean {
  try {
    for (let have = 0; have < into.byteLength; ) {
      const n = readSync(fd, into, have, into.byteLength - have, offset + have);
      if (n === 0) return false;
      have += n;
    }
    return true;
  } catch {
    return false;
  }
}
