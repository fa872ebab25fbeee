// Reads a file as the bytes of its cells if it is a delimited table such as programs write.

import type { ImportFile } from "../../files/import-file.ts";
import { pieces } from "../../files/pieces.ts";
import { LONGEST } from "../../files/text-pieces.ts";
import { UnreadBytes } from "../../files/unread-bytes.ts";
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
  const rest = new UnreadBytes();
  let [skip, enough] = [form.bytes, 0];
  for await (const piece of pieces(file)) {
    rest.add(piece);
    // The first pieces include what comes before the table. An incomplete row is split again when twice as much has
    // arrived.
    if (rest.length < Math.max(skip, enough)) continue;
    if (rest.length > LONGEST) throw new FastPathError();
    rest.skip(skip);
    skip = 0;
    const before = cells.columns;
    const end = cells.split(rest.bytes, false);
    if (end === -1) throw new FastPathError();
    const bytes = rest.bytes.subarray(0, end);
    if (!isChecked && !isUtf8(bytes)) throw new FastPathError();
    if (cells.rows > 0) yield { bytes, cells, first: before === 0 ? 1 : 0, count: cells.rows, comments };
    rest.skip(end);
    enough = end === 0 ? rest.length * 2 : 0;
  }
  rest.skip(Math.min(skip, rest.length));
  const { bytes } = rest;
  const before = cells.columns;
  if ((!isChecked && !isUtf8(bytes)) || cells.split(bytes, true) === -1) throw new FastPathError();
  if (cells.rows > 0) yield { bytes, cells, first: before === 0 ? 1 : 0, count: cells.rows, comments };
}
