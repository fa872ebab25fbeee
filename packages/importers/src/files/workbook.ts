// Reads the sheets of a spreadsheet workbook (.xlsx) as tables in CSV.

import type { CellValue, Sheet } from "read-excel-file/universal";
import { expansionOf } from "./decompress.ts";
import { Unreadable } from "./errors.ts";
import { bytesFile, type ImportFile } from "./import-file.ts";
import { type ZipEntry, zipEntries } from "./zip-entries.ts";

const SAVE_AS_CSV = "save its sheet as CSV in UTF-8";
/** Larger ones would take gigabytes of memory. */
const LARGEST = 256 * 1024 * 1024;
const encoder = new TextEncoder();

/** The sheets with more than one row. Throws `Unreadable` if the workbook is broken or has none. */
export async function sheetsOf(file: ImportFile): Promise<readonly ImportFile[]> {
  if (file.size > LARGEST)
    throw new Unreadable(`a workbook larger than ${LARGEST / 1024 / 1024} MiB; ${SAVE_AS_CSV}`);
  await checkExpansion(file);
  const sheets = await cellsOf(file);
  const tables = sheets.flatMap(({ sheet, data }) => {
    const rows = data.map((row) => row.map(cellText));
    return rows.filter(hasText).length > 1 ? [{ sheet, csv: csvOf(rows) }] : [];
  });
  if (tables.length === 0) throw new Unreadable("a workbook without a table");
  return tables.map(({ sheet, csv }) =>
    bytesFile(tables.length === 1 ? file.path : `${file.path}/${sheet}`, encoder.encode(csv)),
  );
}

/**
 * Refuses a workbook that would fill the memory: one that is larger after decompression than any other archive may be,
 * or with a sheet of too many cells. The library creates all cells up to the last row and column.
 */
async function checkExpansion(file: ImportFile): Promise<void> {
  const entries = await zipEntries(file);
  const most = expansionOf(file.size);
  if (entries.reduce((sum, { size }) => sum + size, 0) > most)
    throw new Unreadable(`a workbook of more than ${most} bytes after decompression; ${SAVE_AS_CSV}`);
  for (const entry of entries)
    if (entry.name.endsWith(".xml") && (await cellCount(entry)) > MOST_CELLS)
      throw new Unreadable(`a sheet of more than ${MOST_CELLS} cells, with empty ones; ${SAVE_AS_CSV}`);
}

const MOST_CELLS = 50_000_000;
/** The start of a row or cell, with its number or address. */
const PLACE = /<(?:[\w.-]+:)?(row|c)(?=[\s/>])(?:[^<>]*?\sr\s*=\s*["']([^"'<>]*))?/g;
/** The longest start of a tag that may be cut between two pieces. */
const LONGEST_TAG = 4096;

/** The number of cells up to the last row and column of a sheet. */
async function cellCount(sheet: ZipEntry): Promise<number> {
  const decoder = new TextDecoder();
  let [row, column, rows, columns] = [0, 0, 0, 0];
  let rest = "";
  for await (const piece of sheet.pieces()) {
    const text = rest + decoder.decode(piece, { stream: true });
    const cut = Math.max(0, text.lastIndexOf("<"), text.length - LONGEST_TAG);
    rest = text.slice(cut);
    for (const [, tag, place = ""] of text.slice(0, cut).matchAll(PLACE)) {
      const [, letters = "", digits] = /^([^\d]*)(\d+)$/.exec(place) ?? [];
      if (tag === "row" || digits !== undefined) row = digits === undefined ? row + 1 : Number(digits);
      column = tag === "row" ? 0 : letters === "" ? column + 1 : columnOf(letters);
      [rows, columns] = [Math.max(rows, row), Math.max(columns, column)];
    }
  }
  return rows * columns;
}

/** The number of a column: 1 for `A`, 27 for `AA`. */
function columnOf(letters: string): number {
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

async function cellsOf(file: ImportFile): Promise<readonly Sheet[]> {
  const { default: readWorkbook } = await import("read-excel-file/universal");
  const bytes = (await file.read(0, file.size)) as Uint8Array<ArrayBuffer>;
  try {
    return await readWorkbook(new Blob([bytes]));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Unreadable(`a workbook that cannot be read (${why}); ${SAVE_AS_CSV}`);
  }
}

/** The rows without the empty columns around them; an empty row is an empty line. */
function csvOf(rows: readonly (readonly string[])[]): string {
  let [first, end] = [Number.POSITIVE_INFINITY, 0];
  for (const row of rows.filter(hasText)) {
    first = Math.min(
      first,
      row.findIndex((text) => text !== ""),
    );
    end = Math.max(end, row.findLastIndex((text) => text !== "") + 1);
  }
  return rows.map((row) => (hasText(row) ? row.slice(first, end).map(quoted).join(",") : "")).join("\n");
}

function hasText(row: readonly string[]): boolean {
  return row.some((text) => text !== "");
}

/** The text of a cell; dates are in UTC. */
function cellText(cell: CellValue | null): string {
  if (cell === null) return "";
  return cell instanceof Date ? cell.toISOString().replace(/T00:00:00\.000Z$/, "") : String(cell);
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
