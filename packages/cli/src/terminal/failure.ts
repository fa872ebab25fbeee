// Failures of commands, and their exit codes.

import { tmpdir } from "node:os";
import { Fault } from "@assay/base";
import { Refusal } from "@assay/client";
import type { CliContext } from "./cli-context.ts";

/** The exit codes of the command. */
export const EXIT = {
  /** Success. */
  ok: 0,
  /** A file, the store or a server failed. */
  failed: 1,
  /** Invalid usage or query. */
  usage: 2,
  /** Some lines of an import were bad; the others were imported. */
  badLines: 3,
} as const;

/** Ends a command. The message is one line for a person: what, where, and what would be valid. */
export class Failure extends Error {
  /** The command's exit code. */
  readonly exitCode: number;

  /** A failure that exits with `exitCode`. */
  constructor(exitCode: number, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "Failure";
    this.exitCode = exitCode;
  }
}

/** An error as one line for a person, with its exit code. */
export function explained(error: unknown): { readonly message: string; readonly exitCode: number } {
  if (error instanceof Failure) return { message: error.message, exitCode: error.exitCode };
  // Input that the server finds invalid is invalid usage.
  if (error instanceof Refusal && error.status === 422)
    return { message: error.message, exitCode: EXIT.usage };
  if (error instanceof Fault) return { message: error.message, exitCode: EXIT.failed };
  const { code, syscall, message, path = UNNAMED.get(syscall) } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : SYSTEM_ERRORS.get(code);
  if (reason !== undefined) {
    // An error without a path concerns an open file. The code that writes the store and results adds paths, so this is
    // a temporary file.
    const where =
      path === undefined ? `${reason} (temporary files are in ${tmpdir()})` : `${path}: ${reason}`;
    return { message: where, exitCode: EXIT.failed };
  }
  return {
    message: `a bug in assay: ${message}; ASSAY_DEBUG=1 shows where`,
    exitCode: EXIT.failed,
  };
}

/** A failure that a server survives, as a line for its operator. */
export function errorLine(context: Pick<CliContext, "env">, error: unknown): string {
  if (context.env["ASSAY_DEBUG"] === "1" && error instanceof Error) return error.stack ?? error.message;
  if (!(error instanceof Error)) return String(error);
  // Adds the file and the original message, which clients do not receive.
  const file = error instanceof Fault ? error.file : undefined;
  if (file === undefined) return error.message;
  const [reason] = error.cause instanceof Error ? error.cause.message.split("\n") : [];
  const notes = [file, reason].filter((note) => note !== undefined && !error.message.includes(note));
  return notes.length === 0 ? error.message : `${error.message} (${notes.join(": ")})`;
}

/** The object of a system call whose errors have no path. */
const UNNAMED: ReadonlyMap<string | undefined, string> = new Map([["uv_cwd", "the current folder"]]);

const SYSTEM_ERRORS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "no such file or directory"],
  ["EACCES", "permission denied"],
  ["EISDIR", "a directory, not a file"],
  ["ENOTDIR", "a part of the path is not a directory"],
  ["ENOSPC", "no space left on the disk"],
  ["EROFS", "the file system is read-only"],
  ["EIO", "the disk cannot read or write it"],
  ["ENXIO", "a socket or a missing device"],
  ["ELOOP", "its symbolic links form a loop"],
  ["ENAMETOOLONG", "the name is too long"],
  ["EMFILE", "too many files are open"],
  ["ENFILE", "too many files are open"],
]);
