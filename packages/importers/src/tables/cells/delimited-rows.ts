// Reads the rows of CSV, TSV or semicolon-separated tables as they stream by, strictly by RFC 4180. Unclosed quotes,
// and text after a closing quote, are reported with their line: guessing would shift cells, and a shifted score is
// wrong.

import { Unreadable } from "../../files/errors.ts";
import type { ImportFile } from "../../files/import-file.ts";
import { pieces } from "../../files/pieces.ts";
import { LONGEST, textPieces } from "../../files/text-pieces.ts";
import { roleOf } from "../columns/column-roles.ts";

/** A row of cells. The first row names the columns. */
interface DelimitedRow {
  /** The line that it begins on, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Whether it is the last of the file and has no line break. */
  readonly isCut: boolean;
}

/** A delimited table: its delimiter and its rows. */
export interface DelimitedRows {
  readonly delimiter: string;
  /** Lines of comment or title before the table, which are skipped. */
  readonly comments: number;
  /** The rows, in batches. */
  readonly rows: AsyncGenerator<readonly DelimitedRow[]>;
}

const SAMPLE = 64 * 1024;
const DELIMITERS = [",", "\t", ";", "|"];
/** The line that Excel writes and reads before a table. */
const SEPARATOR_LINE = /^\ufeff?"?sep=(.)"?\r?(?:\n|$)/i;

/** Comment lines before a table. */
const COMMENTS = /^(?:#[^\n]*(?:\n|$))+/;

/** The line of dashes below the column names of a Markdown table. */
const MARKDOWN = /^[^\n]*\n[ |]*:?--[ |:-]*\r?(?:\n|$)/;

/** The first part of a text. */
async function sampleOf(text: AsyncGenerator<string>): Promise<string> {
  let sample = "";
  while (sample.length < SAMPLE) {
    const { value, done } = await text.next();
    if (done === true) break;
    sample += value;
  }
  return sample;
}

/**
 * The delimiter of a table with common line breaks, and the bytes before the table, in UTF-8; undefined for other
 * tables and for content other than text.
 */
export async function delimitedForm(
  file: ImportFile,
): Promise<{ readonly delimiter: string; readonly bytes: number; readonly comments: number } | undefined> {
  const text = textPieces(file);
  try {
    const sample = await sampleOf(text);
    const { delimiter, returns, start, comments } = formOf(sample);
    const isSimple = !returns && /^[^\u0080-\uffff"|\r\n]$/.test(delimiter);
    if (!isSimple) return undefined;
    const before = new TextEncoder().encode(sample.slice(0, start)).length;
    return { delimiter, bytes: before + (await markOf(file)), comments };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  } finally {
    await text.return(undefined);
  }
}

const MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/** The length of the byte order mark at the beginning of a file, which is not part of its text. */
async function markOf(file: ImportFile): Promise<number> {
  let at = 0;
  for await (const piece of pieces(file)) {
    for (let i = 0; i < piece.length && at < MARK.length; i++, at++) if (piece[i] !== MARK[at]) return 0;
    if (at === MARK.length) break;
  }
  return at === MARK.length ? at : 0;
}

/** Opens a delimited table. */
export async function delimitedRows(file: ImportFile): Promise<DelimitedRows> {
  const text = textPieces(file);
  const sample = await sampleOf(text);
  const form = formOf(sample);
  if (form.delimiter === "|" && MARKDOWN.test(sample.slice(form.start)))
    throw new Unreadable("a table in Markdown with other text: keep only the table, or save it as CSV");
  const rest = async function* (): AsyncGenerator<string> {
    yield sample.slice(form.start);
    yield* text;
  };
  return { delimiter: form.delimiter, comments: form.comments, rows: rowsOf(rest(), form) };
}

/** The lines of the first records with these numbers, from 1 and in order. */
export async function linesOfRecords(
  file: ImportFile,
  records: readonly number[],
): Promise<readonly number[]> {
  const lines: number[] = [];
  // The names of the columns are row 0.
  let row = 0;
  for await (const some of (await delimitedRows(file)).rows)
    for (const { line } of some) {
      if (row++ === records[lines.length]) lines.push(line);
      if (lines.length === records.length) return lines;
    }
  return lines;
}

/** The first rows of a delimited table. */
interface FirstRows {
  /** Where the table begins in the text. */
  readonly start: number;
  readonly delimiter: string;
  /** Each with the place after its line. */
  readonly rows: readonly { readonly cells: readonly string[]; readonly end: number }[];
}

/** The first rows of a delimited table, from a sample of its beginning. */
export function firstRows(sample: string, count: number): FirstRows {
  const form = formOf(sample);
  const { start, delimiter } = form;
  const rows: { cells: readonly string[]; end: number }[] = [];
  try {
    const parser = new RowParser(form);
    for (let at = start; at < sample.length && rows.length < count; ) {
      const { cells, end } = parser.row(sample, at, true);
      at = end!;
      rows.push({ cells, end: at });
    }
  } catch {
    // Errors are reported when the rows are read.
  }
  return { start, delimiter, rows };
}

/** The names in the first row of a delimited table, from a sample of its beginning. */
export function firstRow(sample: string): readonly string[] {
  return firstRows(sample, 1).rows[0]?.cells ?? [];
}

interface Form {
  readonly delimiter: string;
  /** Whether lines end with only a carriage return, as on a Macintosh before 2001. */
  readonly returns: boolean;
  /** Where the table begins in the text. */
  readonly start: number;
  /** The line that it begins on, from 1. */
  readonly line: number;
  /** Lines of comment or title before it. */
  readonly comments: number;
}

/** A delimiter, the number of cells of the first row, and the share of the first rows that have as many. */
interface TableDelimiter {
  readonly delimiter: string;
  readonly cells: number;
  readonly alike: number;
}

/** The delimiter is the given one, or the one that splits the first lines into equally many cells. */
function formOf(sample: string): Form {
  const stated = SEPARATOR_LINE.exec(sample);
  const start = stated?.[0].length ?? (sample.startsWith("\ufeff") ? 1 : 0);
  const returns = !sample.includes("\n");
  const form = { delimiter: stated?.[1] ?? ",", returns, start, line: stated === null ? 1 : 2, comments: 0 };
  if (stated !== null) return form;
  const commented = COMMENTS.exec(sample.slice(start))?.[0] ?? "";
  const table = delimiterOf(sample.slice(start + commented.length), form);
  const { delimiter } = table;
  if (commented === "") return titledForm(sample.slice(start), form) ?? { ...form, delimiter };
  const comments = newlines(commented);
  // A first line such as `#,id,score` names columns.
  if (comments === 0 || table.cells < 2 || countsOf(commented, { ...form, delimiter })[0]! === table.cells)
    return { ...form, delimiter: delimiterOf(sample.slice(start), form).delimiter };
  return { delimiter, returns, start: start + commented.length, line: 1 + comments, comments };
}

/** How many lines a title may have. */
const TITLE_LINES = 10;

/**
 * The form of a table below a title: lines with at most one filled cell, or a few lines and an empty one. Undefined if
 * the first line already names columns, or none of the next does.
 */
function titledForm(text: string, form: Form): Form | undefined {
  if (form.returns) return undefined;
  let [at, isApart, hasTitle] = [0, true, false];
  for (let line = 0; line <= TITLE_LINES; line++) {
    const end = text.indexOf("\n", at) + 1;
    if (end === 0) return undefined;
    const { delimiter, cells, alike } = delimiterOf(text.slice(at), form);
    const own = { ...form, delimiter };
    const [names = []] = filledIn(text.slice(at, end), own);
    const below = filledIn(text.slice(end), own);
    const filled = names.length;
    // Facts above a table fill fewer cells than its records.
    const isWhole = below.every((row) => row.length < filled * 2);
    const isHead =
      isWhole &&
      cells > 1 &&
      alike > 0.5 &&
      filled > 1 &&
      names.some((name) => roleOf(name.trim()) !== undefined);
    if (line === 0 && filled > 1 && alike === 1) return undefined;
    if (isHead && isApart)
      return hasTitle
        ? { ...form, delimiter, start: form.start + at, line: form.line + line, comments: line }
        : undefined;
    hasTitle ||= filled > 0;
    isApart = filled === 0 || (isApart && filled === 1);
    at = end;
  }
  return undefined;
}

/** The cells of the first rows that are not empty. */
function filledIn(text: string, form: Form): readonly (readonly string[])[] {
  return rowsIn(text, form).map((cells) => cells.filter((cell) => cell.trim() !== ""));
}

function delimiterOf(text: string, form: Form): TableDelimiter {
  let best = { delimiter: ",", cells: 1, alike: 0 };
  for (const delimiter of DELIMITERS) {
    const counts = countsOf(text, { ...form, delimiter });
    const [cells = 1] = counts;
    const alike = counts.filter((count) => count === cells).length / Math.max(1, counts.length);
    if (cells < 2) continue;
    if (best.cells < 2 || alike > best.alike || (alike === best.alike && cells > best.cells))
      best = { delimiter, cells, alike };
  }
  return best;
}

/** The number of cells in each of the first rows. */
function countsOf(text: string, form: Form): readonly number[] {
  return rowsIn(text, form).map((cells) => cells.length);
}

/** The cells of the first rows that have any. */
function rowsIn(text: string, form: Form): readonly (readonly string[])[] {
  const parser = new RowParser(form);
  const rows: (readonly string[])[] = [];
  try {
    for (let at = 0; at < text.length && rows.length < 20; ) {
      const row = parser.row(text, at, false);
      if (row.end === undefined) break;
      if (row.cells.length > 1 || row.cells[0] !== "") rows.push(row.cells);
      at = row.end;
    }
  } catch {
    // The rows before suffice. Errors are reported when the rows are read.
  }
  return rows.length > 0 ? rows : [parser.row(text.replaceAll('"', ""), 0, true).cells];
}

async function* rowsOf(text: AsyncIterable<string>, form: Form): AsyncGenerator<readonly DelimitedRow[]> {
  const parser = new RowParser(form);
  let rest = "";
  // An incomplete row is parsed again only when twice as much of it has arrived, so parsing stays linear.
  let enough = 0;
  for await (const piece of text) {
    rest += piece;
    if (rest.length < enough) continue;
    if (rest.length > LONGEST)
      throw new Unreadable(`line ${parser.line}: one row is longer than ${LONGEST} characters`);
    let at = 0;
    const rows: DelimitedRow[] = [];
    let fault: unknown;
    try {
      for (;;) {
        const line = parser.line;
        const { cells, end } = parser.row(rest, at, false);
        if (end === undefined) break;
        at = end;
        if (!isBlank(cells)) rows.push({ line, cells, isCut: false });
      }
    } catch (error) {
      fault = error;
    }
    if (rows.length > 0) yield rows;
    // Errors in earlier text are reported first.
    if (fault !== undefined) throw fault;
    rest = rest.slice(at);
    enough = at === 0 ? rest.length * 2 : 0;
  }
  for (let at = 0; at < rest.length; ) {
    const line = parser.line;
    const { cells, end, isCut } = parser.row(rest, at, true);
    at = end!;
    if (!isBlank(cells)) yield [{ line, cells, isCut }];
  }
}

/** Spreadsheets write lines that contain only commas. */
function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === "");
}

interface ParsedRow {
  readonly cells: readonly string[];
  /** Where the next row begins; undefined if this one continues after the text. */
  readonly end: number | undefined;
  readonly isCut: boolean;
}

const UNFINISHED: ParsedRow = { cells: [], end: undefined, isCut: true };

/** Parses a row at a time. */
class RowParser {
  /** The line that the next row begins on. */
  line: number;
  private readonly delimiter: string;
  private readonly newline: string;

  constructor({ delimiter, returns, line }: Form) {
    this.delimiter = delimiter;
    this.newline = returns ? "\r" : "\n";
    this.line = line;
  }

  /**
   * Parses the row at `at`. Unless `whole`, more text may follow. Throws, with the line, at anything that is not a
   * cell.
   */
  row(text: string, at: number, whole: boolean): ParsedRow {
    const { delimiter, newline } = this;
    const cells: string[] = [];
    let [lines, escaped, stray] = [0, false, false];
    let [nextDelimiter, nextLine] = [-2, -2];
    for (let start = at; ; ) {
      if (text[start] === '"') {
        const close = closingQuote(text, start + 1);
        if (close === undefined || (close + 1 >= text.length && !whole)) {
          if (whole)
            throw new Unreadable(
              `line ${this.line + lines}: a quoted cell is not closed before the file ends`,
            );
          return UNFINISHED;
        }
        const cell = text.slice(start + 1, close).replaceAll('""', '"');
        cells.push(cell);
        escaped ||= /(?<!\\)(?:\\\\)*\\$/.test(cell.slice(-64));
        let end = close + 1;
        while (text[end] === " " && delimiter !== " ") end++;
        if (text[end] === "\r" && newline === "\n" && (text[end + 1] === "\n" || end + 1 === text.length))
          end++;
        if (end >= text.length) {
          if (!whole) return UNFINISHED;
          return this.ended(cells, {
            end,
            lines: lines + newlines(cell),
            bad: escaped && stray,
            isCut: true,
          });
        }
        const line = this.line + lines;
        lines += newlines(cell);
        if (text.startsWith(delimiter, end)) start = end + delimiter.length;
        else if (text[end] === newline)
          return this.ended(cells, { end: end + 1, lines: lines + 1, bad: escaped && stray, isCut: false });
        else {
          throw new Unreadable(
            `line ${line}: text continues after the quote that closes a cell, ${JSON.stringify(text.slice(close, close + 12))}; ` +
              'a quote in a cell is written twice (""), not as \\"',
          );
        }
        continue;
      }
      if (nextDelimiter !== -1 && nextDelimiter < start) nextDelimiter = text.indexOf(delimiter, start);
      if (nextLine !== -1 && nextLine < start) nextLine = text.indexOf(newline, start);
      const isLast = nextDelimiter === -1 || (nextLine !== -1 && nextLine < nextDelimiter);
      if (isLast && nextLine === -1 && !whole) return UNFINISHED;
      const end = isLast ? (nextLine === -1 ? text.length : nextLine) : nextDelimiter;
      const cell = text.slice(start, end);
      stray ||= cell.includes('"');
      if (!isLast) {
        cells.push(cell);
        start = end + delimiter.length;
        continue;
      }
      cells.push(newline === "\n" && cell.endsWith("\r") ? cell.slice(0, -1) : cell);
      const isCut = nextLine === -1;
      return this.ended(cells, { end: end + 1, lines: lines + 1, bad: escaped && stray, isCut });
    }
  }

  private ended(
    cells: readonly string[],
    { end, lines, bad, isCut }: { end: number; lines: number; bad: boolean; isCut: boolean },
  ): ParsedRow {
    // `"a\",b",1`: with a backslash before the quote, the cell may continue after it.
    if (bad) {
      throw new Unreadable(
        `line ${this.line}: a quoted cell ends in \\", and another has a quote in it: a quote in a cell is written twice (""), not as \\"`,
      );
    }
    this.line += lines;
    return { cells, end, isCut };
  }
}

/** The position of the quote that closes a cell; undefined if there is none. */
function closingQuote(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at;
  return undefined;
}

function newlines(cell: string): number {
  let count = 0;
  for (let at = cell.indexOf("\n"); at !== -1; at = cell.indexOf("\n", at + 1)) count++;
  return count;
}
