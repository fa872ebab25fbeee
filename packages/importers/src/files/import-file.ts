// A file as importers see it: bytes that can be read at any position, repeatedly. It needs neither disk nor network, so
// a browser's `File` and a file handle can both provide it.

/** A file to import. */
export interface ImportFile {
  /**
   * Its name, with the folders it was found in, separated by `/`. It can distinguish runs but never decides the format of
   * file.
   */
  readonly path: string;
  /** Its length in bytes. */
  readonly size: number;
  /**
   * The bytes from `start` up to `end`, exclusive. They must not change between calls. They may be in `room`, which is
   * large enough for them, and overwrite what it has.
   */
  read(start: number, end: number, room?: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

/** Makes a file of bytes in memory. Throws a TypeError for a text: encode it first. */
export function bytesFile(path: string, bytes: Uint8Array): ImportFile {
  if (!ArrayBuffer.isView(bytes)) throw new TypeError(`the bytes of ${path} must be a Uint8Array`);
  return { path, size: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

/** Makes a file of a `File` or `Blob`, from a browser or Node. */
export function blobFile(path: string, blob: Blob): ImportFile {
  return {
    path,
    size: blob.size,
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  };
}

/** The last part of a file's path. */
export function fileName({ path }: ImportFile): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A file's path without its last part; empty if it has only one. */
export function folderOf({ path }: ImportFile): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/**
 * The last part of a file's path without the extensions for its format: `runs/large.spans.jsonl.gz` becomes
 * `large.spans`.
 */
export function fileStem(file: ImportFile): string {
  const name = fileName(file);
  return name.replace(/(?<=.)\.(gz|zst)$/i, "").replace(/(?<=.)\.[A-Za-z]{1,8}$/, "") || name;
}
