// The error of an importer for a file, or an essential part of it, that is invalid. It never leaves the package: it
// becomes a refusal of the files read together.

import type { ImportFile } from "./import-file.ts";

/** Files that were refused, and why. */
export interface RefusedFiles {
  /** The files, which must be read together. */
  readonly paths: readonly string[];
  /** The reason, as a sentence for the user. */
  readonly reason: string;
  /**
   * `unknown`: the format is unknown, and it may not be a log at all. `broken`: the format is known, but the file is
   * incomplete or damaged. `asked`: the file is complete, but lacks a requested column or field, or does not show which
   * column to use for something required. `database`: a tool keeps its runs in it, and has to export them first.
   */
  readonly why: "unknown" | "broken" | "asked" | "database";
}

/** The file cannot be read. The message tells the user where, what is wrong, and what would be right. */
export class Unreadable extends Error {
  readonly why: RefusedFiles["why"];

  constructor(message: string, why: RefusedFiles["why"] = "broken") {
    super(message);
    this.why = why;
  }
}

/** The refusal of files for an `Unreadable`; throws other errors again. */
export function refusal(files: readonly ImportFile[], error: unknown): RefusedFiles {
  if (!(error instanceof Unreadable)) throw error;
  return { paths: files.map(({ path }) => path), reason: error.message, why: error.why };
}
