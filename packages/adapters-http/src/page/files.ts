/** A file of the page, as it is sent. */
export interface PageFile {
  /** Its bytes. */
  readonly body: Uint8Array;
  /** Its media type, as in `text/html; charset=utf-8`. */
  readonly type: string;
  /** The same bytes, compressed ahead. */
  readonly encodings?: {
    /** With Brotli. */
    readonly br?: Uint8Array;
    /** With gzip. */
    readonly gzip?: Uint8Array;
  };
}

/** The files that a page is made of. */
export interface PageFiles {
  /** The file at a path, as in `index.html` or `assets/main-3f2a.js`; undefined when there is none. */
  file(path: string): PageFile | undefined;
}
