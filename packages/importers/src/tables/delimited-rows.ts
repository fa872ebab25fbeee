// The rows of a CSV, a TSV or a table with semicolons, while it streams by.

import Papa from "papaparse";
import type { ImportFile } from "../import-file.ts";
import { LONGEST, textPieces } from "../text-pieces.ts";
import { Unreadable } from "../unreadable.ts";

/** A delimited table: what stands between its cells, and its rows as texts, the columns' names first. */
export interface DelimitedRows {
  readonly delimiter: string;
  readonly rows: AsyncGenerator<readonly string[]>;
}

const SAMPLE = 64 * 1024;

/** Opens a delimited table. The delimiter is the one that cuts its first lines into equally many cells. */
export async function delimitedRows(file: ImportFile): Promise<DelimitedRows> {
  const text = textPieces(file);
  let sample = "";
  while (sample.length < SAMPLE) {
    const { value, done } = await text.next();
    if (done === true) break;
    sample += value;
  }
  const { meta } = Papa.parse(sample.replace(/^\ufeff/, ""), { preview: 20 });
  const rest = async function* (): AsyncGenerator<string> {
    yield sample.replace(/^\ufeff/, "");
    yield* text;
  };
  return { delimiter: meta.delimiter, rows: rowsOf(rest(), meta.delimiter) };
}

async function* rowsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<readonly string[]> {
  let rest = "";
  // A row that is not complete is parsed again only when there is twice as much of it: parsing stays linear.
  let enough = 0;
  let before = 0;
  for await (const piece of text) {
    rest += piece;
    if (rest.length < enough) continue;
    if (rest.length > LONGEST)
      throw new Unreadable(`after row ${before}: one row is longer than ${LONGEST} characters`);
    const { rows, consumed } = parsed(rest, delimiter, true, before);
    yield* rows;
    before += rows.length;
    rest = rest.slice(consumed);
    enough = consumed === 0 ? rest.length * 2 : 0;
  }
  yield* parsed(rest, delimiter, false, before).rows;
}

function parsed(
  text: string,
  delimiter: string,
  more: boolean,
  before: number,
): { readonly rows: readonly (readonly string[])[]; readonly consumed: number } {
  if (text === "") return { rows: [], consumed: 0 };
  const parser = new Papa.Parser({ delimiter, newline: newlineOf(text) });
  const { data, errors, meta } = parser.parse(text, 0, more) as Papa.ParseResult<readonly string[]>;
  const fault = errors.find(({ code }) => code === "MissingQuotes");
  if (fault !== undefined && !more) {
    throw new Unreadable(
      `row ${before + (fault.row ?? 0) + 1}: a quoted cell is not closed before the file ends`,
    );
  }
  return {
    rows: data.filter((row) => row.length > 1 || row[0] !== ""),
    consumed: more ? meta.cursor : text.length,
  };
}

/** What ends a row: what ends the first one, outside of quotes. */
function newlineOf(text: string): "\n" | "\r" | "\r\n" {
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text[at];
    if (unit === '"') quoted = !quoted;
    else if (!quoted && unit === "\n") return "\n";
    else if (!quoted && unit === "\r") return text[at + 1] === "\n" ? "\r\n" : "\r";
  }
  return "\n";
}
