// Calls and dataset rows from lines of JSON: a bad line is reported and loses nothing but itself. What is read is
// written in batches, each whole or not at all, while the next is being read.

import { isUtf8 } from "node:buffer";
import { bad, type Issue, type Json, ok, parseJson, type Result } from "@assay/base";
import {
  type Call,
  type CallText,
  type CallWriter,
  type DatasetRow,
  MAX_CALL_DEPTH,
  nestsDeeper,
  type RowWriter,
  readCall,
  readCallLine,
} from "@assay/eval-engine";
import { givingWay } from "./give-way.ts";
import { isLong, readLongLine } from "./long-line.ts";

/** What an import hears while it goes on. */
export interface ImportOptions {
  /** Called with each bad line's number, from 1, and what is wrong with it. */
  readonly onBadLine?: (line: number, issues: readonly Issue[]) => void;
  /** Called now and then with the number of lines that are done. */
  readonly onProgress?: (lines: number) => void;
}

/** What an import did. */
export interface ImportReport {
  /** Lines that are not blank. */
  readonly lines: number;
  /** Lines that were reported and left out. */
  readonly badLines: number;
  /** Calls or rows that are new, or other than they were. */
  readonly changed: number;
}

/** Lines as `readLines` gives them: undefined is a line that is too long. */
export type Lines = AsyncIterable<readonly (Uint8Array | undefined)[]>;

// Lines, and bytes, that are written together: enough that a batch's fixed cost does not show.
const BATCH_LINES = 8192;
const BATCH_SIZE = 32 * 1024 * 1024;

/** How a line is read: a short one from its text; what a long one holds has been parsed, and is not too deep. */
interface LineReader<Item> {
  readonly short: (line: string, bytes: Uint8Array) => Result<Item>;
  readonly long: (value: unknown, bytes: Uint8Array) => Result<Item>;
  /** Whether the numbers of a long line remember how they were written. */
  readonly logged: boolean;
}

/** Puts one call per line. Codes of issues: `readCallLine`'s, `too_long`, `encoding`. */
export function importCalls(
  calls: CallWriter,
  project: string,
  lines: Lines,
  options: ImportOptions = {},
): Promise<ImportReport> {
  // The text is what is kept.
  const kept = (call: Result<Call>, text: Uint8Array): Result<CallText> =>
    call.ok ? ok({ call: indexed(call.value), text }) : call;
  const reader: LineReader<CallText> = {
    short: (line, bytes) => kept(readCallLine(line, "double"), bytes),
    long: (value, bytes) => kept(readCall(value), bytes),
    logged: false,
  };
  return importLines(lines, reader, (batch) => calls.put(project, batch), options);
}

/** Puts one dataset row per line: `{"digest", "val"}`, optionally `"ref"`. Codes: `json_invalid`, `dict_type`,
 * `missing`, `string_type`, `too_deep`, `too_long`, `encoding`. */
export function importRows(
  rows: RowWriter,
  project: string,
  lines: Lines,
  options: ImportOptions = {},
): Promise<ImportReport> {
  return importLines(lines, ROWS, (batch) => rows.put(project, batch), options);
}

const ROWS: LineReader<DatasetRow> = {
  short: (line) => readRowLine(line),
  long: (value) => readRow(value),
  logged: true,
};

// What the index needs of a call: its payload may be forgotten, since its text is kept.
function indexed(call: Call): Call {
  const { id, trace_id, parent_id, op_name, display_name, started_at, ended_at, deleted_at } = call;
  return {
    id,
    trace_id,
    parent_id,
    op_name,
    display_name,
    started_at,
    ended_at,
    inputs: null,
    output: null,
    attributes: null,
    summary: null,
    exception: null,
    deleted_at,
  };
}

function readRowLine(line: string): Result<DatasetRow> {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    return bad([{ code: "json_invalid", path: [], message: `not JSON: ${(error as Error).message}` }]);
  }
  // What is deeper cannot be written out again by a JSON writer that recurses.
  if (typeof value === "object" && nestsDeeper(value as Json, MAX_CALL_DEPTH)) {
    return bad([{ code: "too_deep", path: [], message: `nested deeper than ${MAX_CALL_DEPTH} levels` }]);
  }
  return readRow(value);
}

function readRow(value: unknown): Result<DatasetRow> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
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

async function importLines<Item>(
  lines: Lines,
  reader: LineReader<Item>,
  put: (batch: readonly Item[]) => Promise<number>,
  { onBadLine, onProgress }: ImportOptions,
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

  const pause = givingWay();
  for await (const some of lines) {
    for (const bytes of some) {
      number++;
      const turn = pause();
      if (turn !== undefined) await turn;
      const read = readLine(bytes, reader);
      const item = read instanceof Promise ? await read : read;
      if (item === undefined) continue;
      filled++;
      if (item.ok) {
        batch.push(item.value);
        size += bytes!.length;
      } else {
        badLines++;
        onBadLine?.(number, item.issues);
      }
      if (batch.length >= BATCH_LINES || size >= BATCH_SIZE) await write();
    }
  }
  await write();
  await writing;
  return { lines: filled, badLines, changed };
}

/** What a line holds; undefined when it is blank. Not a promise but for a long line: most lines are not waited for. */
function readLine<Item>(
  bytes: Uint8Array | undefined,
  { short, long, logged }: LineReader<Item>,
): Result<Item> | undefined | Promise<Result<Item> | undefined> {
  if (bytes === undefined) return TOO_LONG;
  const line = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!isUtf8(line)) return NOT_UTF8;
  if (isLong(line))
    return readLongLine(line, logged).then((read) => (read?.ok ? long(read.value, line) : read));
  const text = line.toString();
  return text.trim() === "" ? undefined : short(text, line);
}

const TOO_LONG = bad([{ code: "too_long", path: [], message: "the line is too long to be read" }]);

const NOT_UTF8 = bad([{ code: "encoding", path: [], message: "the line is not UTF-8" }]);
