// A file as the bytes of its cells, when it is a delimited table by RFC 4180 to the letter: nearly every one that a program
// has written.

import type { ImportFile } from "../import-file.ts";
import { pieces } from "../pieces.ts";
import { LONGEST } from "../text-pieces.ts";
import { CellSplitter } from "./cell-splitter.ts";
import { delimitedForm } from "./delimited-rows.ts";

/** Rows of some bytes. */
export interface PlainRows {
  readonly bytes: Uint8Array;
  readonly cells: CellSplitter;
  /** The first row of them that is a record: before it, one names the columns. */
  readonly first: number;
  /** How many rows there are, with that one. */
  readonly count: number;
  /** Lines of comment before the table. */
  readonly comments: number;
}

/** Thrown when a file is not such a table: its reader takes the other way. */
export class NotPlain extends Error {}

/** The cells of a file, some rows at a time; throws `NotPlain`. `isChecked`: whether it is known that they are UTF-8. */
export async function* plainRows(file: ImportFile, isChecked: boolean): AsyncGenerator<PlainRows> {
  const form = await delimitedForm(file);
  if (form === undefined) throw new NotPlain();
  const { comments } = form;
  const cells = new CellSplitter(form.delimiter.charCodeAt(0));
  let rest: Uint8Array = new Uint8Array(0);
  let [skip, enough] = [form.bytes, 0];
  for await (const piece of pieces(file)) {
    rest = rest.length === 0 ? piece : joined(rest, piece);
    // What is before the table is in the first pieces, and a row that is not whole is split again when there is twice as much.
    if (rest.length < Math.max(skip, enough)) continue;
    if (rest.length > LONGEST) throw new NotPlain();
    if (skip > 0) [rest, skip] = [rest.subarray(skip), 0];
    const before = cells.columns;
    const end = cells.split(rest, false);
    if (end === -1) throw new NotPlain();
    const bytes = rest.subarray(0, end);
    if (!isChecked && !isUtf8(bytes)) throw new NotPlain();
    if (cells.rows > 0) yield { bytes, cells, first: before === 0 ? 1 : 0, count: cells.rows, comments };
    // A copy: the next piece may come in the same place.
    rest = rest.slice(end);
    enough = end === 0 ? rest.length * 2 : 0;
  }
  rest = rest.subarray(skip);
  const before = cells.columns;
  if ((!isChecked && !isUtf8(rest)) || cells.split(rest, true) === -1) throw new NotPlain();
  if (cells.rows > 0) yield { bytes: rest, cells, first: before === 0 ? 1 : 0, count: cells.rows, comments };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

interface Runtime {
  getBuiltinModule?(name: "node:buffer"): { readonly isUtf8?: (bytes: Uint8Array) => boolean } | undefined;
}

// By the runtime where it can: a decoder makes a text of it, which takes many times as long.
const { process } = globalThis as { readonly process?: Runtime };
const isUtf8: (bytes: Uint8Array) => boolean =
  process?.getBuiltinModule?.("node:buffer")?.isUtf8 ??
  ((bytes) => {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  });
