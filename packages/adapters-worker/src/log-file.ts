// The log of one run: the newest part of its worker's output on stdout and stderr.

import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** The log of one run. */
export interface LogFile {
  /** Appends; resolves once it is written. Never rejects: an unwritable log must not stop a run. */
  write(piece: Uint8Array): Promise<void>;
  /** Closes the file. Later writes do nothing. */
  close(): Promise<void>;
}

/** How much of a log is kept. */
export interface LogLimits {
  /** At least this many of the newest bytes of each run are kept, and at most twice as many. */
  readonly logBytes: number;
  /** The number of runs whose logs are kept. */
  readonly logRuns: number;
}

/**
 * The log `<name>.log` in `folder`. When it is full, it replaces `<name>.log.1`, and a new one is started. Logs of the
 * oldest runs are removed.
 */
export async function logFile(folder: string, name: string, limits: LogLimits): Promise<LogFile> {
  await mkdir(folder, { recursive: true });
  await removeOld(folder, limits.logRuns - 1);
  const path = join(folder, `${name}.log`);
  let file: FileHandle | undefined = await open(path, "a", 0o600);
  let size = (await file.stat()).size;
  let last: Promise<void> = Promise.resolve();

  const append = async (piece: Uint8Array) => {
    if (file === undefined) return;
    if (size > 0 && size + piece.length > limits.logBytes) {
      await file.close();
      file = undefined;
      await rename(path, `${path}.1`);
      file = await open(path, "a", 0o600);
      size = 0;
    }
    const kept = piece.subarray(Math.max(0, piece.length - limits.logBytes));
    await file.write(kept);
    size += kept.length;
  };
  // Writes are serialised, because two streams write here.
  const queued = (act: () => Promise<void>) => {
    last = last.then(act).catch(async () => {
      // The disk is full, or the folder is gone.
      await file?.close().catch(() => {});
      file = undefined;
    });
    return last;
  };
  return {
    write: (piece) => queued(() => append(piece)),
    close: () =>
      queued(async () => {
        await file?.close();
        file = undefined;
      }),
  };
}

/** Keeps only the logs of the newest `most` runs. */
async function removeOld(folder: string, most: number): Promise<void> {
  const runs = new Map<string, number>();
  for (const name of await readdir(folder)) {
    const run = /^(.+)\.log(\.1)?$/.exec(name)?.[1];
    // Another process may have removed it meanwhile.
    const written = run && (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs;
    if (written) runs.set(run, Math.max(written, runs.get(run) ?? 0));
  }
  const old = [...runs].sort(([, a], [, b]) => b - a).slice(Math.max(0, most));
  for (const [run] of old)
    for (const end of [".log", ".log.1"]) await rm(join(folder, run + end), { force: true });
}
