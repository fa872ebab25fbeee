// The interface that each importer implements.

import type { ImportFile } from "../files/import-file.ts";
import type { ReadOptions } from "../options/import-options.ts";
import type { FileHead } from "../tables/file-head.ts";
import type { ImportEvent } from "../trials/imported-trial.ts";

/** Files, grouped by which of them must be read together. */
export type FileGroups = readonly (readonly ImportFile[])[];

/** An importer for one file format. */
export interface Importer {
  /** Its name for `--from`. */
  readonly name: string;
  /** A readable name. */
  readonly title: string;
  /** Whether it also reads tables of its records in Parquet. */
  readonly isTabular?: boolean;
  /** Whether a file has this format, judging by its beginning. */
  recognises(head: FileHead): boolean;
  /** Groups files that must be read together. Without this function, each file is read separately. */
  units?(files: readonly ImportFile[]): FileGroups | Promise<FileGroups>;
  /** Reads files that belong together. Throws `Unreadable`, possibly after some events. */
  read(files: readonly ImportFile[], options: ReadOptions): AsyncGenerator<ImportEvent>;
}
