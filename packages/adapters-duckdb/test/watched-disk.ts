// The disk below a store in this process: which part of each file is synced, the state at any step of a write, and
// faults. Excludes DuckDB's own files, which native code writes and the redo log can rebuild.

import {
  cpSync,
  existsSync,
  fstatSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";

/** What happens at one step, a write or a sync of a file, counted from 0. */
export interface Step {
  readonly step: number;
  /**
   * A disk fault in place of the step; a fault after half of a write; or a copy of the directory, before or after it.
   */
  readonly what: "fault" | "half" | "copy before" | "copy after";
}

/** The disk below a directory. */
export interface WatchedDisk {
  /** Watches this directory from now on. */
  watch(directory: string): void;
  /** Makes this happen during `act`; the copy goes to `to`. Resolves to false if `act` had too few steps. */
  during(happening: Step, to: string, act: () => Promise<void>): Promise<boolean>;
  /**
   * Copies the directory as after a power cut: with the fraction `share` of the data since each file's last sync, and
   * with or without the database's log.
   */
  cutPower(to: string, share: number, hasDatabaseLog: boolean): void;
  /** Copies the directory as after a kill. */
  kill(to: string): void;
  /** Stops watching. */
  restore(): void;
}

/** The files that this process writes, except DuckDB's and the columns, which can be rebuilt. */
function filesIn(
  directory: string,
): readonly { readonly name: string; readonly ino: number; readonly size: number }[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => /\.(jsonl|gz|bin|log)$/.test(name))
    .map((name) => {
      const { ino, size } = statSync(join(directory, name));
      return { name, ino, size };
    });
}

type Call = (this: FileHandle, ...given: never[]) => Promise<unknown>;

/** Watches the file handles of this process. */
export async function watchedDisk(): Promise<WatchedDisk> {
  const handle = await open(process.execPath);
  const prototype = Object.getPrototypeOf(handle) as Record<string, Call>;
  await handle.close();
  let directory = "\0";
  let steps = 0;
  let planned: (Step & { readonly to: string }) | undefined;
  /** Synced bytes by inode, because a file may be renamed. */
  const synced = new Map<number, number>();
  const before: Record<string, Call> = {};

  const copy = (to: string): void => {
    cpSync(directory, to, { recursive: true });
    rmSync(join(to, "assay.lock"), { force: true });
  };

  for (const name of ["write", "writev", "writeFile", "appendFile", "sync", "datasync"]) {
    const real = prototype[name]!;
    before[name] = real;
    prototype[name] = async function (...given) {
      const path = readlinkSync(`/proc/self/fd/${this.fd}`);
      if (!path.startsWith(directory)) return real.apply(this, given);
      const now = planned?.step === steps++ ? planned : undefined;
      if (now?.what === "copy before") copy(now.to);
      if (now?.what === "half" && name === "write") {
        const [bytes, offset, length, ...place] = given as unknown as [Uint8Array, number, number];
        await real.apply(this, [bytes, offset, Math.floor(length / 2), ...place] as never[]);
      }
      if (now?.what === "fault" || now?.what === "half")
        throw Object.assign(new Error(`EIO: the disk failed, ${name} '${path}'`), { code: "EIO" });
      const done = await real.apply(this, given);
      if (name.endsWith("sync")) {
        const { ino, size } = fstatSync(this.fd);
        synced.set(ino, size);
      }
      if (now?.what === "copy after") copy(now.to);
      return done;
    };
  }

  return {
    watch(path) {
      directory = path;
      synced.clear();
      for (const { ino, size } of filesIn(path)) synced.set(ino, size);
    },
    async during(happening, to, act) {
      [steps, planned] = [0, { ...happening, to }];
      try {
        await act();
      } finally {
        planned = undefined;
      }
      return steps > happening.step;
    },
    cutPower(to, share, hasDatabaseLog) {
      copy(to);
      for (const { name, ino, size } of filesIn(directory)) {
        const safe = synced.get(ino) ?? 0;
        if (size > safe) truncateSync(join(to, name), safe + Math.floor((size - safe) * share));
      }
      if (!hasDatabaseLog) rmSync(join(to, "assay.duckdb.wal"), { force: true });
    },
    kill: copy,
    restore() {
      Object.assign(prototype, before);
    },
  };
}
