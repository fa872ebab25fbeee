// Rewrites files in other notations as plain JSON and CSV, before their format is detected.

import { Unreadable } from "../files/errors.ts";
import { bytesFile, type ImportFile } from "../files/import-file.ts";
import { LONGEST, textPieces } from "../files/text-pieces.ts";
import type { FileHead } from "../tables/file-head.ts";
import { beginsLikeHtml, csvOfHtml } from "./html-table.ts";
import { withJoinedHeader } from "./joined-header.ts";
import { csvOfPipes, isPipedTable } from "./piped-table.ts";
import { beginsLikeJson, isLenientJson, plainJson } from "./plain-json.ts";
import { isTestReport, linesOfTests } from "./test-report.ts";

/** How much of a file decides its notation. */
const SAMPLE = 64 * 1024;

/**
 * The file itself, or one with its content in plain notation; `head`: its beginning. Files too long to be held in memory
 * stay as they are.
 */
export async function plainFile(file: ImportFile, head: FileHead): Promise<ImportFile> {
  const way = rewriting(head.text.slice(0, SAMPLE));
  if (way === undefined) return file;
  try {
    const whole = await textOf(file);
    const text = whole.length < LONGEST ? way(whole) : undefined;
    return text === undefined ? file : bytesFile(file.path, new TextEncoder().encode(text));
  } catch (error) {
    // What cannot be read as text is reported by the reader of its format.
    if (!(error instanceof Unreadable)) throw error;
    return file;
  }
}

/** How to rewrite a text that begins like this; undefined if it is plain. */
function rewriting(sample: string): ((text: string) => string | undefined) | undefined {
  if (beginsLikeJson(sample)) return isLenientJson(sample) ? plainJson : undefined;
  if (beginsLikeHtml(sample)) return joined(csvOfHtml);
  if (isTestReport(sample)) return linesOfTests;
  if (isPipedTable(sample)) return joined(csvOfPipes);
  if (withJoinedHeader(sample, sample) !== undefined) return (text) => withJoinedHeader(text, sample);
  return undefined;
}

/** The CSV that `csvOf` returns, with a header of two lines joined. */
function joined(csvOf: (text: string) => string | undefined): (text: string) => string | undefined {
  return (text) => {
    const csv = csvOf(text);
    return csv && (withJoinedHeader(csv, csv.slice(0, SAMPLE)) ?? csv);
  };
}

/** The text of a file, or so much of it that the file is too long. Throws `Unreadable` if it is not text. */
async function textOf(file: ImportFile): Promise<string> {
  let text = "";
  for await (const piece of textPieces(file)) {
    text += piece;
    if (text.length >= LONGEST) break;
  }
  return text;
}
