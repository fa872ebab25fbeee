// The disk beneath a store in this process: how much of each file is safely on it, what is there at any step of a write, and
// faults. Everything but DuckDB's own files, which are written by native code and made again from the redo log.

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
  /** A fault of the disk in its place; a fault after half of a write; or a copy of the directory, before it or after. */
  readonly what: "fault" | "half" | "copy before" | "copy after";
}

/** The disk beneath a directory. */
export interface WatchedDisk {
  /** Watches this directory from now on. */
  watch(directory: string): void;
  /** Has this happen while `act` goes on; the copy goes to `to`. False when there were not so many steps. */
  during(happening: Step, to: string, act: () => Promise<void>): Promise<boolean>;
  /**
   * Copies the directory as a power cut leaves it: of what was written since a file's last sync, `share` is there. Its database
   * has its log, or not.
   */
  cutPower(to: string, share: number, hasDatabaseLog: boolean): void;
  /** Copies the directory as a kill leaves it. */
  kill(to: string): void;
  /** Ends the watching. */
  restore(): void;
}

/** The files that this process writes: not those of DuckDB, and not the columns, which are made again. */
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
  /** Bytes that are safely on the disk, by inode: a file may be renamed. */
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
