// TrainingFile: bytes that a client has uploaded under a name, for jobs that come later.

import type { StoredBlob } from "../ports/artifact-store.ts";

/** An uploaded file. It never changes until it is deleted. */
export interface TrainingFile {
  /** UUID. */
  readonly id: string;
  /** The team or person that it belongs to. */
  readonly entity: string;
  /** The project of the entity. */
  readonly project: string;
  /** What its uploader called it; empty once it is deleted. Never a path here. */
  readonly name: string;
  /** What it is for, such as `fine-tune`. */
  readonly purpose: string;
  /** Where its bytes are. */
  readonly data: StoredBlob;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When it was deleted. A deleted file keeps its place in listings that are being paged through. */
  readonly deletedAt?: number;
}
