// Reading, writing and syncing files, and what their failures mean.

import { closeSync, fsyncSync, openSync, readSync } from "node:fs";
import { Fault } from "@assay/base";

/** Reads `length` bytes from byte `at`, into `scratch` if given; fewer if the file ends before. */
export function readFully(fd: number, at: number, length: number, scratch?: Buffer): Buffer {
  const bytes = scratch?.subarray(0, length) ?? Buffer.allocUnsafeSlow(length);
  for (let have = 0; have < length; ) {
    const n = readSync(fd, bytes, have, length - have, at + have);
    if (n === 0) return bytes.subarray(0, have);
    have += n;
  }
  return bytes;
}

/** The fault for a failed write to `name`, the file or folder `path`: `exhausted` if the disk or a quota is full. */
export function writeFault(error: unknown, name: string, path: string = name): Fault {
  if (error instanceof Fault) return error;
  const code = (error as { code?: unknown }).code;
  const options = { cause: error, file: path };
  return code === "ENOSPC" || code === "EDQUOT"
    ? new Fault("exhausted", `no space left to write ${name}`, options)
    : new Fault("unavailable", `cannot write ${name}`, options);
}

/** Whether the file system failed, rather than the source of the bytes. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/** Syncs a directory: the name of a new file is on the disk only once its directory is. */
export function syncDirectory(path: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } catch (error) {
    throw writeFault(error, "the names of new files", path);
  } finally {
    closeSync(fd);
  }
}
