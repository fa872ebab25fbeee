/** Stored bytes, named by their SHA-256 (64 lower-case hexadecimal digits). */
export interface StoredBlob {
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
}
