// ArtifactStore: where the bytes of checkpoints and training data are kept, named by what they contain.

/** Bytes that are kept, named by their SHA-256 (64 lower-case hexadecimal digits). */
export interface StoredBlob {
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly sha256: string;
  /** How many bytes there are. */
  readonly size: number;
}

/**
 * Keeps bytes under the SHA-256 of what they are, so that the same bytes are kept once and a blob can never
 * change. When the storage itself fails, methods throw a `Fault`; bytes that no longer match their name are
 * the fault `corrupt`.
 */
export interface ArtifactStore {
  /** Keeps the bytes and resolves to their name. Kept whole or not at all; writing the same bytes again is harmless. */
  write(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredBlob>;

  /** The bytes of a blob, in pieces. The fault `missing` when there is no such blob. */
  read(sha256: string): AsyncIterable<Uint8Array>;

  /** The blob, when its bytes are here, whole and as its name says. */
  find(sha256: string): Promise<StoredBlob | undefined>;

  /** Forgets a blob. Nothing happens when there is none. */
  remove(sha256: string): Promise<void>;
}
