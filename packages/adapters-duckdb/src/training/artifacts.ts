// Artifacts as files in the data directory, each named by the SHA-256 of its content. A file appears under its name
// only once it is complete and on the disk, so incomplete files of a process that died are never found.

import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "@assay/base";
import type { ArtifactStore } from "@assay/training-core";
import { isSystemError, writeFault } from "../files/file-io.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../files/private-files.ts";

/** An `ArtifactStore` of files. */
export interface FileArtifacts extends ArtifactStore {
  /** Writes a small file and removes it. Rejects with the fault that storing an artifact would currently cause. */
  check(): Promise<void>;

  /**
   * Removes unneeded files not written since `before` (milliseconds since 1970): blobs for which `isUsed` returns
   * false, and unfinished files of writers that died. Resolves to the number of removed files. Call it only while
   * nothing else uses the store.
   */
  sweep(isUsed: (sha256: string) => Promise<boolean>, before: number): Promise<number>;
}

/** The folder for artifacts in a data directory. */
export const ARTIFACTS_FOLDER = "artifacts";

/** The path of an artifact in a folder, by SHA-256: two levels, so that no folder becomes too large to list. */
export function artifactFile(directory: string, name: string): string {
  return join(directory, name.slice(0, 2), name);
}

/** The folder for files while they are written. Not a valid name of a blob. */
const UNFINISHED = "unfinished";

/** Stores artifacts in `directory`, which is created if needed. */
export function fileArtifacts(directory: string): FileArtifacts {
  const pathOf = (name: string): string => artifactFile(directory, name);
  const folderOf = (name: string): string => dirname(pathOf(name));

  return {
    async write(bytes) {
      const partial = join(directory, UNFINISHED, randomUUID());
      try {
        await mkdir(join(directory, UNFINISHED), { recursive: true, mode: PRIVATE_FOLDER });
        const blob = await writeSynced(partial, bytes);
        await mkdir(folderOf(blob.sha256), { recursive: true, mode: PRIVATE_FOLDER });
        // Also replaces an existing file, which may be damaged.
        await rename(partial, pathOf(blob.sha256));
        await syncDirectory(folderOf(blob.sha256));
        await syncDirectory(directory);
        return blob;
      } catch (error) {
        await rm(partial, { force: true });
        throw isSystemError(error) ? writeFault(error, "an artifact", directory) : error;
      }
    },

    async *read(name) {
      if (!isName(name)) throw missing(name, directory);
      const digest = createHash("sha256");
      // Delayed by one piece: the last piece is only passed on once all are verified.
      let held: Buffer | undefined;
      for await (const piece of contentOf(pathOf(name), name)) {
        digest.update(piece);
        if (held !== undefined) yield held;
        held = piece;
      }
      if (digest.digest("hex") !== name) {
        const file = pathOf(name);
        throw new Fault("corrupt", `the artifact ${name} is damaged`, { file });
      }
      if (held !== undefined) yield held;
    },

    async find(name) {
      if (!isName(name)) return undefined;
      const digest = createHash("sha256");
      let size = 0;
      try {
        for await (const piece of contentOf(pathOf(name), name)) {
          digest.update(piece);
          size += piece.length;
        }
      } catch (error) {
        if (error instanceof Fault && error.code === "missing") return undefined;
        throw error;
      }
      return digest.digest("hex") === name ? { sha256: name, size } : undefined;
    },

    async remove(name) {
      if (!isName(name)) return;
      try {
        await rm(pathOf(name), { force: true });
      } catch (error) {
        throw writeFault(error, "the folder of artifacts", directory);
      }
    },

    async check() {
      const probe = join(directory, UNFINISHED, randomUUID());
      try {
        await mkdir(join(directory, UNFINISHED), { recursive: true, mode: PRIVATE_FOLDER });
        await writeFile(probe, "is there room?", { mode: PRIVATE_FILE });
        await rm(probe);
      } catch (error) {
        throw writeFault(error, "the folder of artifacts", directory);
      }
    },

    async sweep(isUsed, before) {
      let removed = 0;
      for (const folder of await namesIn(directory)) {
        for (const name of await namesIn(join(directory, folder))) {
          const path = join(directory, folder, name);
          if (folder !== UNFINISHED && !isName(name)) continue;
          if ((await stat(path)).mtimeMs >= before) continue;
          if (folder !== UNFINISHED && (await isUsed(name))) continue;
          await rm(path, { force: true });
          removed++;
        }
      }
      return removed;
    },
  };
}

/** Writes a new file and syncs it to the disk; resolves to its description. */
async function writeSynced(path: string, bytes: Parameters<ArtifactStore["write"]>[0]) {
  const digest = createHash("sha256");
  let size = 0;
  const file = await open(path, "wx", PRIVATE_FILE);
  try {
    for await (const piece of bytes) {
      digest.update(piece);
      size += piece.length;
      await file.appendFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { sha256: digest.digest("hex"), size };
}

async function* contentOf(path: string, name: string): AsyncIterable<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw missing(name, path);
    throw new Fault("unavailable", `cannot read the artifact ${name}`, { cause: error, file: path });
  }
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw new Fault("unavailable", "cannot list the artifacts", { cause: error, file: directory });
  }
}

// The name of a new file is on the disk only once its directory is.
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether a text can name a blob: only then may an external name become a path. */
function isName(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function missing(name: string, file: string): Fault {
  return new Fault("missing", `there is no artifact ${isName(name) ? name : "of this name"}`, { file });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
