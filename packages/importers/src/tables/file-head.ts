// The parts of a file that identify its format: the beginning of its content, and its keys, columns or entries.

import { joinedBytes } from "../collections/byte-writer.ts";
import { Unreadable } from "../files/errors.ts";
import type { ImportFile } from "../files/import-file.ts";
import { pieces } from "../files/pieces.ts";
import { beginsLikeZip, zipEntries } from "../files/zip-entries.ts";
import { JsonSlicer } from "../json/json-slices.ts";
import { firstRow } from "./cells/delimited-rows.ts";
import { parquetColumns } from "./parquet/parquet-records.ts";

/** The beginning of a file. */
export interface FileHead {
  readonly path: string;
  readonly fileType: "json" | "json-lines" | "yaml" | "table" | "zip" | "parquet" | "sqlite" | "unknown";
  /**
   * For JSON: paths of keys, joined with `.`, with `*` for places in lists, four keys deep: `results.prompts.*.label`.
   * For JSON lines: those of the first lines. For YAML: the outermost keys. For tables and Parquet: the columns. For
   * archives: the entries.
   */
  readonly keys: ReadonlySet<string>;
  /** The first kilobytes, if it is text. */
  readonly text: string;
}

/** Whether a document, or the elements of its list, have all of these keys. */
export function hasKeys(keys: FileHead["keys"], ...names: readonly string[]): boolean {
  return names.every((name) => keys.has(name) || keys.has(`*.${name}`));
}

const HEAD = 256 * 1024;
const KEYS_DEEP = 5;
/** How a list of objects begins. */
const YAML_LIST = /^(?:---\s+|#[^\n]*\n)*- +[\w"'][\w "'-]*:\s/;
/** How records below a key begin. */
const YAML_RECORDS = /^[\w"'./-]+:\s+- +[\w"'][\w "'-]*:\s/m;
const YAML_KEY = /^(\w+):(?=\s)/gm;

/** The head that was read last: it is requested several times in a row. */
let last: { readonly file: ImportFile; readonly head: Promise<FileHead> } | undefined;

/** Reads the beginning of a file. */
export function fileHead(file: ImportFile): Promise<FileHead> {
  if (last?.file !== file) last = { file, head: readHead(file) };
  return last.head;
}

async function readHead(file: ImportFile): Promise<FileHead> {
  const start = await file.read(0, Math.min(16, file.size));
  const { path } = file;
  if (beginsLikeZip(start)) {
    return {
      path,
      fileType: "zip",
      keys: new Set((await zipEntries(file)).map(({ name }) => name)),
      text: "",
    };
  }
  const sign = String.fromCharCode(...start);
  if (sign.startsWith("PAR1")) return { path, fileType: "parquet", keys: await parquetKeys(file), text: "" };
  if (sign.startsWith("SQLite format 3")) return { path, fileType: "sqlite", keys: new Set(), text: "" };
  const bytes = await beginning(file);
  const text = headText(bytes);
  if (text === undefined) return { path, fileType: "unknown", keys: new Set(), text: "" };
  return { path, text, ...typeAndKeysOf(bytes, text) };
}

async function parquetKeys(file: ImportFile): Promise<ReadonlySet<string>> {
  try {
    return new Set((await parquetColumns(file)).names);
  } catch (error) {
    // The file's reader reports what is wrong.
    if (!(error instanceof Unreadable)) throw error;
    return new Set();
  }
}

async function beginning(file: ImportFile): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces(file)) {
    const part = piece.slice(0, HEAD - size);
    size += part.length;
    parts.push(part);
    if (size === HEAD) break;
  }
  return joinedBytes(parts);
}

/** The text at the start of the bytes; undefined if they are not text. The last character may be cut. */
function headText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    // A value may have any character.
    return /^[^\n]*\0/.test(text) ? undefined : text;
  } catch {
    // Tables of old spreadsheets are not UTF-8. That is reported when they are read.
    const text = new TextDecoder("latin1").decode(bytes);
    return bytes.some((byte) => byte < 0x09) ? undefined : text;
  }
}

function typeAndKeysOf(bytes: Uint8Array, text: string): Pick<FileHead, "fileType" | "keys"> {
  const first = text.trimStart()[0];
  if (first !== "{" && first !== "[") {
    if (YAML_LIST.test(text)) return { fileType: "yaml", keys: new Set() };
    const columns = columnsOf(text);
    if (columns.size > 1) return { fileType: "table", keys: columns };
    const keys = new Set(Array.from(text.matchAll(YAML_KEY), ([, key]) => key!));
    return keys.size > 1 || YAML_RECORDS.test(text)
      ? { fileType: "yaml", keys }
      : { fileType: "unknown", keys: columns };
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const isLines =
    first === "{" && isJson(lines[0]!) && (lines.length === 1 || lines[1]!.trimStart()[0] === "{");
  // A single object on one line is a document, unless its keys only occur in JSON lines.
  if (isLines && lines.length > 1) {
    const keys = new Set<string>();
    const encoder = new TextEncoder();
    for (const line of lines.slice(0, 20)) for (const key of keysOf(encoder.encode(line))) keys.add(key);
    return { fileType: "json-lines", keys };
  }
  return { fileType: "json", keys: keysOf(bytes) };
}

function keysOf(bytes: Uint8Array): ReadonlySet<string> {
  const keys = new Set<string>();
  const slicer = new JsonSlicer({
    take: [],
    watch: KEYS_DEEP,
    onKey: (path) => {
      keys.add(path.map((key) => (/^\d+$/.test(key) ? "*" : key)).join("."));
    },
  });
  try {
    slicer.feed(bytes);
  } catch {
    // The format follows from what came before the mistake; the file's reader reports the mistake.
  }
  return keys;
}

function columnsOf(text: string): ReadonlySet<string> {
  return new Set(firstRow(text).map((column) => column.trim()));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/-?\b(?:NaN|Infinity)\b/g, "null"));
    return true;
  } catch {
    return false;
  }
}
