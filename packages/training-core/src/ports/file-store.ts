// FileStore: records which files clients have uploaded. Their bytes are in the artifact store.

import type { TrainingFile } from "../model/training-file.ts";

/** Which files to list. */
export interface FilePage {
  /** Only files of this project. */
  readonly project?: Pick<TrainingFile, "entity" | "project">;
  /** Only files for this purpose. */
  readonly purpose?: string;
  /** `asc`: oldest first. */
  readonly order: "asc" | "desc";
  /** Only files after this one, in the requested order. */
  readonly after?: Pick<TrainingFile, "createdAt" | "id">;
  /** The most files to read. */
  readonly limit: number;
}

/** Reads uploaded files. They are written by `TrainingStore.commit`. */
export interface FileStore {
  /** The file, deleted or not. */
  file(id: string): Promise<TrainingFile | undefined>;

  /** Files that are not deleted, in the order of `createdAt`, then `id`. */
  files(page: FilePage): Promise<readonly TrainingFile[]>;
}
