/**
 * Where files are kept, each under the digest of its bytes. A file is passed in chunks of any size, so that long files
 * do not block other work. Throws a `Fault` when the storage itself fails.
 */
export interface FileStore {
  /** Adds a file. Durable when the promise resolves. Do not change the bytes afterwards. */
  put(project: string, digest: string, pieces: readonly Uint8Array[]): Promise<void>;

  /** The file's bytes; undefined if it does not exist. */
  get(project: string, digest: string): Promise<readonly Uint8Array[] | undefined>;
}
