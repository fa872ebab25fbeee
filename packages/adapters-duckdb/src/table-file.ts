// Tables as files that notebooks and spreadsheets read. DuckDB writes them; what is in them comes as lines of JSON.

import { openDatabase } from "./database.ts";

/** A column of a table file. */
export interface FileColumn {
  /** As it is called in the file. */
  readonly name: string;
  /** What its values are; null is no value of any type. */
  readonly type: "text" | "number" | "integer" | "boolean";
  /** The place of its value in each line, from 0; default: its own place among the columns. */
  readonly index?: number;
}

/** How a table is written. */
export type TableFormat = "csv" | "parquet";

const TYPES: Readonly<Record<FileColumn["type"], string>> = {
  text: "VARCHAR",
  number: "DOUBLE",
  integer: "BIGINT",
  boolean: "BOOLEAN",
};
/** Bytes that one line of the table may have: DuckDB takes several times as much memory, whatever comes. */
const MAX_LINE = 2 ** 26;

/**
 * Writes `to` from the file `from`, whose lines are JSON lists with one value per column. Lines are streamed: memory
 * does not grow with the table, and a line has at most 64 MiB. Texts are
 * written as they are: whether a spreadsheet takes one for a formula is the caller's business.
 * Throws a fault when a file cannot be read or written.
 */
export async function writeTableFile(
  from: string,
  to: string,
  columns: readonly FileColumn[],
  format: TableFormat,
): Promise<void> {
  const database = await openDatabase(":memory:", { readOnly: false, memory: "512MB", threads: 1 });
  const cells = columns.map(
    ({ name, type, index }, i) =>
      `CAST(line ->> ${index ?? i} AS ${TYPES[type]}) AS "${name.replaceAll('"', '""')}"`,
  );
  // A group of rows is in memory as a whole, and a row can be large.
  const options =
    format === "csv" ? "FORMAT csv, HEADER" : "FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 8192";
  try {
    await database.write((transaction) =>
      transaction.run(
        `COPY (SELECT ${cells.join(", ")} FROM read_json(
          $1, format = 'newline_delimited', records = false, columns = {line: 'JSON'}, maximum_object_size = ${MAX_LINE}
        )) TO $2 (${options})`,
        [from, to],
      ),
    );
  } finally {
    await database.close();
  }
}
