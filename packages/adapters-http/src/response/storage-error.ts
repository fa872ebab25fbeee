// Failures of the server's own disk, on any route: 507 when it is full, otherwise 503.

import { Fault } from "@assay/base";

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
const FAILED: ReadonlySet<unknown> = new Set(["EIO", "EROFS", "EMFILE", "ENFILE"]);

/** A disk error. */
export interface StorageError {
  readonly status: 503 | 507;
  /** The message for the client: it contains no path. */
  readonly message: string;
}

/** The disk error behind an error; undefined if there is none. */
export function storageErrorOf(error: unknown): StorageError | undefined {
  if (error instanceof Fault) {
    if (error.code === "exhausted") return { status: 507, message: error.message };
    return error.file === undefined ? undefined : { status: 503, message: error.message };
  }
  const code = error instanceof Error && "syscall" in error && "code" in error ? error.code : undefined;
  if (FULL.has(code)) return { status: 507, message: "no space is left on the disk of the server" };
  return FAILED.has(code) ? { status: 503, message: "the disk of the server failed" } : undefined;
}
