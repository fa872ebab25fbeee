// ArtifactStore: stores the bytes of checkpoints and training data, identified by their content.

import type { StoredBlob } from "../job/stored-blob.ts";

/**
 * Stores bytes under their own SHA-256, so that equal bytes are stored once and a blob can never change. Methods throw
 * a `Fault` when the storage itself fails; bytes that no longer match their name are the fault `corrupt`.
 */
export interface ArtifactStore {
  /**
   * Stores the bytes and resolves to their name. All of them or none are stored; writing the same bytes again is
   * harmless.
   */
  write(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredBlob>;

  /** The bytes of a blob, in chunks. The fault `missing` if it does not exist. */
  read(sha256: string): AsyncIterable<Uint8Array>;

  /** The blob, if its bytes are stored, complete and undamaged. */
  find(sha256: string): Promise<StoredBlob | undefined>;

  /** Removes a blob. Nothing happens if it does not exist. */
  remove(sha256: string): Promise<void>;
}
