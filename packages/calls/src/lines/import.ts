// Imports calls and dataset rows from lines of JSON. A bad line is reported and skipped without affecting others. Each
// batch is written completely or not at all, while the next is being read.

import { bad, type Issue, ok, type Result } from "@assay/base";
import { isJsonObject, parseJson, textNestsDeeper } from "@assay/base/internal";
import { MAX_CALL_DEPTH } from "../call/call.ts";
import type { CallWriter } from "../ports/call-writer.ts";
import type { RowWriter } from "../ports/row-writer.ts";
import type { DatasetRow } from "../row/dataset-row.ts";
import { callLinesReader } from "./call-lines-reader.ts";
import { type LineBlock, lineBlocks, linesIn } from "./line-blocks.ts";
import { type LineReader, type ReadItems, readItems } from "./read-line.ts";

/** Callbacks and limits of an import. */
export interface ImportOptions {
  /** Called for each bad line, with its number, from 1, and its issues. */
  readonly onBadLine?: (line: number, issues: readonly Issue[]) => void;
  /** Called now and then with the number of processed lines. */
  readonly onProgress?: (lines: number) => void;
  /** The maximum length of a line in bytes, so that no file can fill the memory. Default 64 MiB. */
  readonly longestLine?: number;
  /** For calls: the number of bytes after which a separate thread reads the lines. Default 16 MiB. */
  readonly threadFrom?: number;
}

/** The result of an import. */
export interface ImportReport {
  /** Lines that are not blank. */
  readonly lines: number;
  /** Lines that were reported and left out. */
  readonly badLines: number;
  /** Calls or rows that are new or changed. */
  readonly changed: number;
}

// How many lines, and bytes, are written together: enough to make the fixed cost of a batch negligible.
const BATCH_LINES = 65_536;
const BATCH_SIZE = 32 * 1024 * 1024;
// How many blocks of lines are read ahead of writing.
const AHEAD = 4;
const LONGEST_LINE = 64 * 1024 * 1024;
// Starting a thread costs as much as reading this many bytes.
const THREAD_FROM = 16 * 1024 * 1024;

/**
 * Imports one call per line. The stream must not change its pieces afterwards. Issue codes: `readCallLine`'s,
 * `too_long`, `encoding`.
 */
export async function importCalls(
  calls: CallWriter,
  project: string,
  bytes: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { longestLine = LONGEST_LINE, threadFrom = THREAD_FROM } = options;
  const reader = callLinesReader(longestLine, threadFrom);
  try {
    return await importLines(bytes, reader.read, (batch) => calls.put(project, batch), options);
  } finally {
    await reader.close();
  }
}

/**
 * Imports one dataset row per line: `{"digest", "val"}`, optionally with `"ref"`. Issue codes: `json_invalid`,
 * `dict_type`, `missing`, `string_type`, `too_deep`, `too_long`, `encoding`.
 */
export function importRows(
  rows: RowWriter,
  project: string,
  bytes: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { longestLine = LONGEST_LINE } = options;
  const read: Read<DatasetRow> = (block) => readItems(linesIn(block, longestLine), ROWS);
  return importLines(bytes, read, (batch) => rows.put(project, batch), options);
}

const ROWS: LineReader<DatasetRow> = { short: readRowLine, long: readRow, logged: true };

function readRowLine(line: string): Result<DatasetRow> {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    return bad([{ code: "json_invalid", path: [], message: `not JSON: ${(error as Error).message}` }]);
  }
  // A recursive JSON writer could not write deeper values.
  if (textNestsDeeper(line, MAX_CALL_DEPTH)) {
    return bad([{ code: "too_deep", path: [], message: `nested deeper than ${MAX_CALL_DEPTH} levels` }]);
  }
  return readRow(value);
}

function readRow(value: unknown): Result<DatasetRow> {
  if (!isJsonObject(value)) {
    return bad([{ code: "dict_type", path: [], message: "a dataset row must be a JSON object" }]);
  }
  const { digest, val, ref } = value as { digest?: unknown; val?: unknown; ref?: unknown };
  const issues: Issue[] = [];
  if (digest === undefined)
    issues.push({ code: "missing", path: ["digest"], message: "a dataset row needs a digest" });
  else if (typeof digest !== "string" || digest === "")
    issues.push({ code: "string_type", path: ["digest"], message: "digest must be a non-empty string" });
  if (val === undefined)
    issues.push({ code: "missing", path: ["val"], message: "a dataset row needs a val" });
  if (ref !== undefined && ref !== null && typeof ref !== "string")
    issues.push({ code: "string_type", path: ["ref"], message: "ref must be a string" });
  if (issues.length > 0) return bad(issues);
  const row = { digest, val } as DatasetRow;
  return ok(typeof ref === "string" ? { ...row, ref } : row);
}

/** Reads the lines of a block. */
type Read<Item> = (block: LineBlock) => Promise<ReadItems<Item>>;

async function importLines<Item>(
  bytes: AsyncIterable<Uint8Array>,
  read: Read<Item>,
  put: (batch: readonly Item[]) => Promise<number>,
  { onBadLine, onProgress, longestLine = LONGEST_LINE }: ImportOptions,
): Promise<ImportReport> {
  let [number, filled, badLines, changed] = [0, 0, 0, 0];
  let batch: Item[] = [];
  let size = 0;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const [items, done] = [batch, number];
    batch = [];
    size = 0;
    await writing;
    writing = put(items).then((count) => {
      changed += count;
      onProgress?.(done);
    });
    // Awaited before the next batch and at the end; until then its failure must not count as unhandled.
    writing.catch(() => undefined);
  };

  for await (const block of readAhead(lineBlocks(bytes, longestLine), read)) {
    for (const item of block.items) {
      number++;
      if (item === undefined) continue;
      filled++;
      if (item.ok) batch.push(item.value);
      else {
        badLines++;
        onBadLine?.(number, item.issues);
      }
      if (batch.length >= BATCH_LINES) await write();
    }
    size += block.size;
    if (size >= BATCH_SIZE) await write();
  }
  await write();
  await writing;
  return { lines: filled, badLines, changed };
}

interface ReadBlock<Item> {
  readonly items: ReadItems<Item>;
  /** Bytes. */
  readonly size: number;
}

/** The items of lines, block by block, while the next blocks are being read. */
async function* readAhead<Item>(
  blocks: AsyncIterable<LineBlock>,
  read: Read<Item>,
): AsyncGenerator<ReadBlock<Item>> {
  const reading: Promise<ReadBlock<Item>>[] = [];
  for await (const block of blocks) {
    const size = block?.length ?? 0;
    const next = read(block).then((items) => ({ items, size }));
    // Awaited later; until then its failure must not count as unhandled.
    next.catch(() => undefined);
    reading.push(next);
    if (reading.length > AHEAD) yield await reading.shift()!;
  }
  for (const next of reading) yield await next;
}
