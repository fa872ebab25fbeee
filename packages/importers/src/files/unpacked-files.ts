// Unpacks archives into their files, and gives access to any part of a compressed file's content.

import { joinedBytes } from "../collections/byte-writer.ts";
import { fileCompression } from "./decompress.ts";
import { Unreadable } from "./errors.ts";
import { bytesFile, type ImportFile } from "./import-file.ts";
import { pieces } from "./pieces.ts";
import { sheetsOf } from "./workbook.ts";
import { beginsLikeZip, type ZipEntry, zipEntries } from "./zip-entries.ts";

/** Entries of an archive that users did not put there. */
const HIDDEN = /(?:^|\/)(?:\.|__MACOSX\/)|\/$/;
/** Entries that make an archive one document: an Inspect AI log, which is read directly, or one of an office program. */
const DOCUMENT = /^(?:header\.json|_journal\/start\.json|\[Content_Types\]\.xml)$/;
const WORKBOOK = "xl/workbook.xml";
const MOST_ENTRIES = 10_000;

/** A file, or one in an archive or workbook. */
export interface UnpackedFile {
  readonly file: ImportFile;
  /** The path of its workbook if it is a sheet. */
  readonly workbook?: string;
}

/** The file itself, or the files or sheets in it if it is an archive or workbook. Throws `Unreadable` if it is broken. */
export async function unpackedFiles(original: ImportFile): Promise<readonly UnpackedFile[]> {
  const file = await decompressedFile(original);
  const entries = await entriesOf(file);
  if (entries.some(({ name }) => DOCUMENT.test(name)) || entries.length === 0) return filesIn(file, entries);
  if (entries.length > MOST_ENTRIES) throw new Unreadable(`more than ${MOST_ENTRIES} files`);
  const files: UnpackedFile[] = [];
  for (const { name, pieces: content } of entries) {
    const inside = await decompressedFile(bytesFile(`${file.path}/${name}`, await joined(content())));
    files.push(...(await filesIn(inside, await entriesOf(inside))));
  }
  return files;
}

/** The entries of an archive; none for another file. */
async function entriesOf(file: ImportFile): Promise<readonly ZipEntry[]> {
  if (!beginsLikeZip(await file.read(0, Math.min(4, file.size)))) return [];
  return (await zipEntries(file)).filter(({ name }) => !HIDDEN.test(name));
}

/** The sheets of a workbook; another file itself. */
async function filesIn(file: ImportFile, entries: readonly ZipEntry[]): Promise<readonly UnpackedFile[]> {
  if (!entries.some(({ name }) => name === WORKBOOK)) return [{ file }];
  return (await sheetsOf(file)).map((sheet) => ({ file: sheet, workbook: file.path }));
}

/** The decompressed content of an archive or Parquet file; other files are decompressed as they are read. */
async function decompressedFile(file: ImportFile): Promise<ImportFile> {
  if ((await fileCompression(file)) === undefined) return file;
  const content = pieces(file);
  const { value: start } = await content.next();
  await content.return(undefined);
  const isRandom =
    start !== undefined && (beginsLikeZip(start) || String.fromCharCode(...start.subarray(0, 4)) === "PAR1");
  if (!isRandom) return file;
  return bytesFile(file.path.replace(/\.(?:gz|zst)$/i, ""), await joined(pieces(file)));
}

async function joined(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  return joinedBytes(parts);
}
