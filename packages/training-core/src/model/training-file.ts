// TrainingFile: bytes that a client has uploaded under a name, for later jobs.

import type { StoredBlob } from "../job/stored-blob.ts";

/** An uploaded file. It never changes until it is deleted. */
export interface TrainingFile {
  /** UUID. */
  readonly id: string;
  /** The team or person that owns it. */
  readonly entity: string;
  /** The project of the entity. */
  readonly project: string;
  /** The file name of the upload; empty once it is deleted. Never used as a path. */
  readonly name: string;
  /** Its purpose, such as `fine-tune`. */
  readonly purpose: string;
  /** The blob of its bytes. */
  readonly data: StoredBlob;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When it was deleted. A deleted file keeps its place in lists that are being paged through. */
  readonly deletedAt?: number;
}
