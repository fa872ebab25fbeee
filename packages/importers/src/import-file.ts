// A file as importers see it: bytes that can be read from anywhere in it, as often as needed. No disk, no network:
// what a browser's `File` and a file handle can both give.

/** A file to import. */
export interface ImportFile {
  /** Its name, with the folders it was found in, separated by `/`. It may tell runs apart, never what kind of file it is. */
  readonly path: string;
  /** Its length in bytes. */
  readonly size: number;
  /** The bytes from `start` to before `end`. Must not change between two calls. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Bytes in memory as a file. */
export function bytesFile(path: string, bytes: Uint8Array): ImportFile {
  return { path, size: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

/** A `File` or `Blob` of a browser, or of Node, as a file. */
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

/** A file's path without its last part; empty when there is none. */
export function folderOf({ path }: ImportFile): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The last part of a file's path without what says its format: `runs/large.spans.jsonl.gz` is `large.spans`. */
export function fileStem(file: ImportFile): string {
  const name = fileName(file);
  return name.replace(/(?<=.)\.(gz|zst)$/i, "").replace(/(?<=.)\.[A-Za-z]{1,8}$/, "") || name;
}
