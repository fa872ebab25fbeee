/** A file of the page, ready to be sent. */
export interface PageFile {
  /** Its bytes. */
  readonly body: Uint8Array;
  /** Its media type, such as `text/html; charset=utf-8`. */
  readonly type: string;
  /** The same bytes, precompressed. */
  readonly encodings?: {
    /** With Brotli. */
    readonly br?: Uint8Array;
    /** With gzip. */
    readonly gzip?: Uint8Array;
  };
}

/** The files of a page. */
export interface PageFiles {
  /** The file at a path, such as `index.html` or `assets/main-3f2a.js`; undefined if it does not exist. */
  file(path: string): PageFile | undefined;
}
