/**
 * Where files are kept, each under the digest of its bytes. A file is pieces that are its bytes one after the other, however
 * they are cut; none keeps others waiting by its length. When the storage itself fails, it throws a `Fault`.
 */
export interface FileStore {
  /** Adds a file. Durable when the promise resolves. The bytes must not be changed afterwards. */
  put(project: string, digest: string, pieces: readonly Uint8Array[]): Promise<void>;

  /** The file's bytes; undefined when it is not there. */
  get(project: string, digest: string): Promise<readonly Uint8Array[] | undefined>;
}
