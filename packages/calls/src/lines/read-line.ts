// One line, as text or, when it is long, piece by piece.

import { isUtf8 } from "node:buffer";
import { bad, type Result } from "@assay/base";
import { givingWay } from "@assay/base/internal";
import type { Line } from "./line-blocks.ts";
import { isLong, readLongLine } from "./long-line.ts";

/** How a line is read: a short one from its text; what a long one holds has been parsed, and is not too deep. */
export interface LineReader<Item> {
  readonly short: (line: string) => Result<Item>;
  readonly long: (value: unknown) => Result<Item>;
  /** Whether the numbers of a long line remember how they were written. */
  readonly logged: boolean;
}

/** What lines hold, in order: an item each, what is wrong with it, or nothing when it is blank. */
export type ReadItems<Item> = Iterable<Result<Item> | undefined>;

/** Reads lines, and lets others run meanwhile. Codes of issues: the reader's, `too_long`, `too_deep`, `encoding`. */
export async function readItems<Item>(
  lines: readonly Line[],
  reader: LineReader<Item>,
): Promise<ReadItems<Item>> {
  const pause = givingWay();
  const items: (Result<Item> | undefined)[] = [];
  for (const line of lines) {
    const turn = pause();
    if (turn !== undefined) await turn;
    const read = readLine(line, reader);
    items.push(read instanceof Promise ? await read : read);
  }
  return items;
}

/** What a line holds; undefined when it is blank. Not a promise but for a long line: most lines are not waited for. */
export function readLine<Item>(
  line: Line,
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
