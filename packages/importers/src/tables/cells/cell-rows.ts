// Where the cells of a table are in the bytes of its file, in any file type: the fast way to read one.

import { builtinModule } from "@assay/base/internal";

/** Where the cells of rows begin and end, row by row. */
export interface Cells {
  readonly starts: Uint32Array;
  /** 0 for a value that a JSON object does not have. */
  readonly ends: Uint32Array;
  /** Whether each cell of a delimited table has doubled quotes; undefined for the JSON of values. */
  readonly doubled: Uint8Array | undefined;
}

/** The rows in some bytes. */
export interface CellRows {
  readonly bytes: Uint8Array;
  readonly cells: Cells;
  /** The first row that is a record: a row before it names the columns. */
  readonly first: number;
  /** The number of rows, including the names. */
  readonly count: number;
}

/** Thrown if the bytes of a table cannot be read as cells directly: the general reader then reads its records. */
export class FastPathError extends Error {}

// Uses the runtime's check if available: a decoder creates a string, which takes many times as long.
const buffer = builtinModule<{ readonly isUtf8: (bytes: Uint8Array) => boolean }>("node:buffer");
/** Whether bytes are valid UTF-8. */
export const isUtf8: (bytes: Uint8Array) => boolean =
  buffer.isUtf8 ??
  ((bytes) => {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  });
