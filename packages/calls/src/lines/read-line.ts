// Reads one line, from its text or, if it is long, in steps.

import { isUtf8 } from "node:buffer";
import { bad, type Result } from "@assay/base";
import { timeSlice } from "@assay/base/internal";
import type { TextLine } from "./line-blocks.ts";
import { isLong, readLongLine } from "./long-line.ts";

/** How to read a line: a short one from its text; a long one is already parsed, and its depth checked. */
export interface LineReader<Item> {
  readonly short: (line: string) => Result<Item>;
  readonly long: (value: unknown) => Result<Item>;
  /** Whether the numbers of a long line remember their notation. */
  readonly logged: boolean;
}

/** The results of lines, in order: an item or its issues, or undefined for a blank line. */
export type ReadItems<Item> = Iterable<Result<Item> | undefined>;

/** Reads lines without blocking others. Issue codes: the reader's, `too_long`, `too_deep`, `encoding`. */
export async function readItems<Item>(
  lines: readonly TextLine[],
  reader: LineReader<Item>,
): Promise<ReadItems<Item>> {
  const pause = timeSlice();
  const items: (Result<Item> | undefined)[] = [];
  for (const line of lines) {
    const turn = pause();
    if (turn !== undefined) await turn;
    const read = readLine(line, reader);
    items.push(read instanceof Promise ? await read : read);
  }
  return items;
}

/** The result of a line; undefined if it is blank. A promise only for a long line, since most lines need no wait. */
export function readLine<Item>(
  line: TextLine,
  { short, long, logged }: LineReader<Item>,
): Result<Item> | undefined | Promise<Result<Item> | undefined> {
  if (line === undefined) return TOO_LONG;
  if (!isUtf8(line)) return NOT_UTF8;
  if (isLong(line.length))
    return readLongLine(line, logged).then((read) => (read?.ok ? long(read.value) : read));
  const text = line.toString();
  return text.trim() === "" ? undefined : short(text);
}

const TOO_LONG = bad([{ code: "too_long", path: [], message: "the line is too long to be read" }]);
const NOT_UTF8 = bad([{ code: "encoding", path: [], message: "the line is not UTF-8" }]);
