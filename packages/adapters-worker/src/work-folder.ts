// The folder of one run: receives the task and its files, and the files of the checkpoint are taken from it. File names
// from a worker never reach outside the folder.

import { constants, createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { jsonPieces, plainFileName } from "@assay/base/internal";
import type { ArtifactFile, ArtifactStore, TrainingTask } from "@assay/training-core";

/** Where a run finds the files of its job and leaves those of its checkpoint. */
export type JobFiles = Pick<ArtifactStore, "read" | "write">;

/** The folder of one run. */
export interface WorkFolder {
  /** Its path. */
  readonly path: string;
  /** Stores the files of the checkpoint; resolves to the problem with them, if any. */
  take(files: readonly ArtifactFile[]): Promise<string | undefined>;
  /** Removes the folder with everything in it. */
  remove(): Promise<void>;
}

/**
 * A new folder in `parent` with `task.json` (the task), `parent/` (the files of the checkpoint to start from),
 * `data.jsonl` (the training data of a fine-tuning job) and `output/` (empty).
 */
export async function workFolder(
  parent: string,
  task: TrainingTask,
  files: JobFiles,
  signal: AbortSignal,
): Promise<WorkFolder> {
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  const path = await mkdtemp(join(parent, `run-${process.pid}-`));
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  const fetched = (sha256: string, to: string) =>
    pipeline(
      Readable.from(files.read(sha256)),
      createWriteStream(join(path, to), { flags: "wx", mode: 0o600 }),
      {
        signal,
      },
    );
  try {
    await Promise.all(["parent", "output"].map((name) => mkdir(join(path, name))));
    for (const { name, sha256 } of task.parent.files)
      await fetched(sha256, join("parent", plainFileName(name)));
    if (task.spec.kind === "sft") {
      const { data, validation } = task.spec;
      await fetched(data.sha256, "data.jsonl");
      if (validation !== undefined) await fetched(validation.sha256, "validation.jsonl");
    }
    // Written last, so that a folder with a task is complete.
    await writeFile(join(path, "task.json"), jsonPieces(task), { mode: 0o600 });
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    path,
    remove,
    async take(reported) {
      for (const { name, sha256, size } of reported) {
        const at = join(path, "output", plainFileName(name));
        const found = await lstat(at).catch(() => undefined);
        if (found === undefined) return `the file ${name} is not in the output folder`;
        if (!found.isFile()) return `${name} is not a plain file`;
        if (found.size !== size) return `the file ${name} has ${found.size} bytes, not ${size}`;
        const kept = await files.write(fileAt(at));
        if (kept.sha256 !== sha256) return `the file ${name} has another digest than announced`;
      }
      return undefined;
    },
  };
}

/** The bytes of a file, from the start each time. Symbolic links are not followed. */
function fileAt(path: string): AsyncIterable<Uint8Array> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
  return {
    async *[Symbol.asyncIterator]() {
      // Streams accept the number, although their types only declare names.
      yield* createReadStream(path, { flags: flags as unknown as string });
    },
  };
}

/** Removes the folders of processes that were killed. Each name contains the ID of its process. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const owner = Number(/^run-(\d+)-/.exec(name)?.[1]);
    if (owner > 0 && !lives(owner)) await rm(join(parent, name), { recursive: true, force: true });
  }
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user exists too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
