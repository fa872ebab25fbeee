// Reads the sheets of a spreadsheet workbook (.xlsx) as tables in CSV.

import type { CellValue, Sheet } from "read-excel-file/universal";
import { expansionOf } from "./decompress.ts";
import { Unreadable } from "./errors.ts";
import { bytesFile, type ImportFile } from "./import-file.ts";
import { zipEntries } from "./zip-entries.ts";

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

/** Refuses a workbook that is larger after decompression than any other archive may be. */
async function checkExpansion(file: ImportFile): Promise<void> {
  const sizes = (await zipEntries(file)).map(({ size }) => size);
  const most = expansionOf(file.size);
  if (sizes.reduce((sum, size) => sum + size, 0) > most)
    throw new Unreadable(`a workbook of more than ${most} bytes after decompression; ${SAVE_AS_CSV}`);
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
  const filled = rows.filter(hasText);
  const first = Math.min(...filled.map((row) => row.findIndex((text) => text !== "")));
  const end = Math.max(...filled.map((row) => row.findLastIndex((text) => text !== ""))) + 1;
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
