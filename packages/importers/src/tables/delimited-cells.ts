// Reads a file as the bytes of its cells if it is a delimited table strictly by RFC 4180, as nearly every table written
// by a program is.

import { joinedBytes } from "../byte-writer.ts";
import type { ImportFile } from "../import-file.ts";
import { pieces } from "../pieces.ts";
import { LONGEST } from "../text-pieces.ts";
import { type CellRows, FastPathError, isUtf8 } from "./cell-rows.ts";
import { CellSplitter } from "./cell-splitter.ts";
import { delimitedForm } from "./delimited-rows.ts";

/** The rows of a delimited table in some bytes. */
export interface DelimitedCells extends CellRows {
  readonly cells: CellSplitter;
  /** Comment lines before the table. */
  readonly comments: number;
}

/**
 * The cells of a file, in batches of rows; throws `FastPathError`. `isChecked`: whether the file is known to be valid UTF-8.
 */
export async function* delimitedCells(file: ImportFile, isChecked: boolean): AsyncGenerator<DelimitedCells> {
  const form = await delimitedForm(file);
  if (form === undefined) throw new FastPathError();
  const { comments } = form;
  const cells = new CellSplitter(form.delimiter.charCodeAt(0));
  let rest: Uint8Array = new Uint8Array(0);
  let [skip, enough] = [form.bytes, 0];
  for await (const piece of pieces(file)) {
    rest = rest.length === 0 ? piece : joinedBytes([rest, piece]);
    // The first pieces include what comes before the table. An incomplete row is split again when twice as much has
    // arrived.
    if (rest.length < Math.max(skip, enough)) continue;
    if (rest.length > LONGEST) throw new FastPathError();
    if (skip > 0) [rest, skip] = [rest.subarray(skip), 0];
    const before = cells.columns;
    const end = cells.split(rest, false);
    if (end === -1) throw new FastPathError();
    const bytes = rest.subarray(0, end);
    if (!isChecked && !isUtf8(bytes)) throw new FastPathError();
    if (cells.rows > 0) yield { bytes, cells, first: before === 0 ? 1 : 0, count: cells.rows, comments };
    // A copy: the next piece may reuse the memory.
    rest = rest.slice(end);
    enough = end === 0 ? rest.length * 2 : 0;
  }
  rest = rest.subarray(skip);
  const before = cells.columns;
  if ((!isChecked && !isUtf8(rest)) || cells.split(rest, true) === -1) throw new FastPathError();
  if (cells.rows > 0) yield { bytes: rest, cells, first: before === 0 ? 1 : 0, count: cells.rows, comments };
}
