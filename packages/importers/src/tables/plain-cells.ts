// Reads a file as the bytes of its cells if it is a delimited table strictly by RFC 4180, as nearly every table written
// by a program is.

import { builtinModule } from "@assay/base/internal";
import { joinedBytes } from "../byte-writer.ts";
import type { ImportFile } from "../import-file.ts";
import { pieces } from "../pieces.ts";
import { LONGEST } from "../text-pieces.ts";
import { CellSplitter } from "./cell-splitter.ts";
import { delimitedForm } from "./delimited-rows.ts";

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

/** The rows of a delimited table in some bytes. */
export interface PlainRows extends CellRows {
  readonly cells: CellSplitter;
  /** Comment lines before the table. */
  readonly comments: number;
}

/** Thrown if a file is not such a table: its reader then takes the general path. */
export class NotPlain extends Error {}

/**
 * The cells of a file, in batches of rows; throws `NotPlain`. `isChecked`: whether the file is known to be valid UTF-8.
 */
export async function* plainRows(file: ImportFile, isChecked: boolean): AsyncGenerator<PlainRows> {
  const form = await delimitedForm(file);
  if (form === undefined) throw new NotPlain();
  const { comments } = form;
  const cells = new CellSplitter(form.delimiter.charCodeAt(0));
  let rest: Uint8Array = new Uint8Array(0);
  let [skip, enough] = [form.bytes, 0];
  for await (const piece of pieces(file)) {
    rest = rest.length === 0 ? piece : joinedBytes([rest, piece]);
    // The first pieces include what comes before the table. An incomplete row is split again when twice as much has
    // arrived.
    if (rest.length < Math.max(skip, enough)) continue;
    if (rest.length > LONGEST) throw new NotPlain();
    if (skip > 0) [rest, skip] = [rest.subarray(skip), 0];
    const before = cells.columns;
    const end = cells.split(rest, false);
    if (end === -1) throw new NotPlain();
    const bytes = rest.subarray(0, end);
    if (!isChecked && !isUtf8(bytes)) throw new NotPlain();
    if (cells.rows > 0) yield { bytes, cells, first: before === 0 ? 1 : 0, count: cells.rows, comments };
    // A copy: the next piece may reuse the memory.
    rest = rest.slice(end);
    enough = end === 0 ? rest.length * 2 : 0;
  }
  rest = rest.subarray(skip);
  const before = cells.columns;
  if ((!isChecked && !isUtf8(rest)) || cells.split(rest, true) === -1) throw new NotPlain();
  if (cells.rows > 0) yield { bytes: rest, cells, first: before === 0 ? 1 : 0, count: cells.rows, comments };
}

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
