/** Where files are kept, each under the digest of its bytes. When the storage itself fails, it throws a `Fault`. */
export interface FileStore {
  /** Adds a file. Durable when the promise resolves. The bytes must not be changed afterwards. */
  put(project: string, digest: string, bytes: Uint8Array): Promise<void>;

  /** The file's bytes; undefined when it is not there. */
  get(project: string, digest: string): Promise<Uint8Array | undefined>;
}
