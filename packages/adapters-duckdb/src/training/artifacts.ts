// Artifacts as files in the data directory, each named by the SHA-256 of its bytes. A file appears under its name only
// once it is whole and on the disk, so what a process that died was writing is never found.

import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "@assay/base";
import type { ArtifactStore } from "@assay/training-core";
import { isSystemError, writeFault } from "../journal.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../private-files.ts";

/** An `ArtifactStore` of files. */
export interface FileArtifacts extends ArtifactStore {
  /** Writes a small file and removes it. Rejects with the fault that keeping an artifact now would have. */
  check(): Promise<void>;

  /**
   * Removes what nothing needs and was not written since `before` (milliseconds since 1970): blobs that `isUsed` says
   * no to, and what writers that died have left. Resolves to how many files went. To be called while nothing else
   * uses the store.
   */
  sweep(isUsed: (sha256: string) => Promise<boolean>, before: number): Promise<number>;
}

/** The folder of a data directory that artifacts are in. */
export const ARTIFACTS_FOLDER = "artifacts";

/** The file of an artifact, by its SHA-256, in a folder of them: two levels, so that no folder grows too long to be listed. */
export function artifactFile(directory: string, name: string): string {
  return join(directory, name.slice(0, 2), name);
}

/** Where files are while they are written. No name of a blob. */
const UNFINISHED = "unfinished";

/** Keeps artifacts in `directory`, made when it is needed. */
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
        // Also over an existing one: that one may be damaged.
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
      // One piece behind: with the last one, all of them are reliable.
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

/** Writes a new file, and has it on the disk; resolves to what it is. */
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

// A new file's name is on the disk only once its directory is.
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether this names a blob: what is asked for from outside becomes a path only then. */
function isName(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function missing(name: string, file: string): Fault {
  return new Fault("missing", `there is no artifact ${isName(name) ? name : "of this name"}`, { file });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
